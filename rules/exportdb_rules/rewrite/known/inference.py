"""Signatures of expressions, by walking straight-line code: the interpreter's values first, then the code's shape."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import joins
from exportdb_rules import values as domain
from exportdb_rules.finding import Span
from exportdb_rules.rewrite.known import operators as ops
from exportdb_rules.rewrite.known.callers import passed_by_callers
from exportdb_rules.rewrite.known.constructor import evaluated
from exportdb_rules.rewrite.known.example_sizes import ExampleSizes, product_shape
from exportdb_rules.rewrite.known.known_calls import KnownCalls, own_functions
from exportdb_rules.rewrite.known.liveness import sides
from exportdb_rules.rewrite.known.modules import submodules
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    INTEGERS,
    SCALAR,
    UNKNOWN,
    Broadcast,
    Dtype,
    Held,
    Items,
    Module,
    Number,
    Other,
    Picked,
    Signature,
    Sliced,
    Tensor,
    agree,
    broadcast,
    floating,
    join,
    normal,
    numeric,
    promoted,
    row_shape,
)
from exportdb_rules.rewrite.known.told import of_value, told
from exportdb_rules.rewrite.known.torch_calls import TorchCalls, spelled_dtype
from exportdb_rules.rewrite.tree import children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.examples import Example
    from exportdb_rules.rewrite.known.modules import Submodules
    from exportdb_rules.rewrite.tree import Tree

Environment = dict[str, Signature]

_MOST_CALLERS = 3
_MOST_ROUNDS = 2
_NAMESPACES = ("torch", "torch.nn.functional", "F", "nn.functional", "torch.special", "torch.linalg")
_ARITHMETIC = (
    cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power,
    cst.BitAnd, cst.BitOr, cst.BitXor, cst.LeftShift, cst.RightShift,
)  # fmt: skip


class Inference:
    """Signatures within one function. `known` holds those of nodes that a rewrite made itself; `origin` the node of
    the text that a changed one stands for."""

    def __init__(
        self, tree: Tree, context: FixContext, function: cst.FunctionDef, owner: cst.ClassDef | None, within: int = 0
    ) -> None:
        """`within` is how many callers were followed to come here."""
        self.tree = tree
        self.context = context
        self.function = function
        self.owner = owner
        self.strict = False
        # Whether dynamic sizes of inputs, which tracing can decide by, count as what it cannot.
        self.sizes = False
        self.known: dict[cst.CSTNode, Signature] = {}
        self.origin: dict[cst.CSTNode, cst.CSTNode] = {}
        # Names that hold something else in the rewritten code than the interpreter saw in the old one.
        self.overridden: set[str] = set()
        # Made expressions that give what others do.
        self.alike: dict[cst.CSTNode, cst.BaseExpression] = {}
        # Functions that the function defines, by names that mean nothing else in it.
        self.functions: dict[str, cst.FunctionDef] = own_functions(function)
        # Functions of the module.
        self.globals = {s.name.value: s for s in tree.module.body if isinstance(s, cst.FunctionDef)}
        self._within = within
        self._passed: Environment | None = None
        self.submodules = submodules(tree.module, owner)
        self._torch = TorchCalls(self)
        self.calls_known = KnownCalls(self)
        self.examples = ExampleSizes(self)
        self._numbers = count(1)

    def caller(self, path: Sequence[cst.CSTNode]) -> Inference | None:
        """The same within the innermost function of a path, which calls this one; None for one that is inside of another."""
        at = [i for i, node in enumerate(path) if isinstance(node, cst.FunctionDef)]
        if len(at) != 1 or any(isinstance(n, (cst.Lambda, cst.BaseComp)) for n in path):
            return None
        function, above = path[at[0]], path[at[0] - 2] if at[0] > 1 else None
        assert isinstance(function, cst.FunctionDef)
        owner = above if isinstance(above, cst.ClassDef) else None
        return Inference(self.tree, self.context, function, owner, self._within + 1)

    def modules_of(self, owner: cst.ClassDef) -> Submodules:
        """The submodules of another class of the text."""
        return submodules(self.tree.module, owner)

    def within(self, function: cst.FunctionDef, owner: cst.ClassDef) -> Inference:
        """The same within another function of the text."""
        inner = Inference(self.tree, self.context, function, owner, _MOST_CALLERS + 1)
        inner.strict, inner.sizes, inner._numbers = self.strict, self.sizes, self._numbers
        return inner

    # --- environments -------------------------------------------------------------------------------------------

    def entry(self) -> Environment:
        """The signatures of the function's parameters."""
        env: Environment = {}
        for parameter in parameters(self.function):
            name = parameter.name.value
            value = self._of_parameter(parameter)
            if value is not None:
                env[name] = of_value(value, name, frozenset([name]))
                shown = self._example(name)
                known = env[name]
                if shown is not None and isinstance(known, Tensor):
                    dtype = known.dtype if shown[0] is None else shown[0]
                    env[name] = Tensor(dtype, shown[1], known.roots, known.permuted, known.told)
        return env

    def _of_parameter(self, parameter: cst.Param) -> domain.Value | None:
        """What the interpreter says of a parameter, which stands with its annotation there."""
        first, last = self.tree.span(parameter.name), None
        if parameter.annotation is not None:
            last = self.tree.span(parameter.annotation.annotation)
        if first is None or last is None or parameter.name.value in self.overridden:
            return self.value(parameter.name)
        value = self.context.values.get(Span(first.start, last.end))
        return None if value is domain.UNKNOWN else value

    def arguments(self, given: Sequence[cst.Param], node: cst.Call, env: Environment) -> Environment:
        """What a call gives to parameters, by their names."""
        found: Environment = {}
        for parameter, arg in zip(given, node.args, strict=False):
            if arg.keyword is None:
                found[parameter.name.value] = self.infer(arg.value, env)
        for arg in node.args:
            if arg.keyword is not None:
                found[arg.keyword.value] = self.infer(arg.value, env)
        return found

    def _example(self, name: str) -> Example | None:
        """dtype and shape of the example of a parameter."""
        if self.strict:
            return None
        if self.function.name.value == "forward" and name in self.submodules.examples:
            return self.submodules.examples[name]
        if self._passed is None:
            self._passed = {} if self._within > _MOST_CALLERS else passed_by_callers(self)
        known = self._passed.get(name)
        if not isinstance(known, Tensor) or numeric(known.shape) is None:
            return None
        return (known.dtype if isinstance(known.dtype, str) else None, known.shape)

    def before(self, path: Sequence[cst.CSTNode]) -> Environment:
        """The signatures of the local names when the last node of the path, a statement, begins."""
        env = self.entry()
        index = list(path).index(self.function)
        for parent, child in zip(path[index:], path[index + 1 :], strict=False):
            if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
                self._blur(parent, env)
            elif isinstance(parent, (cst.IndentedBlock, cst.SimpleStatementSuite)):
                for statement in parent.body:
                    if statement is child:
                        break
                    self.run([statement], env)
        return env

    def run(self, block: Sequence[cst.CSTNode], env: Environment) -> list[tuple[cst.Return, Signature]]:
        """Walk statements, keeping `env` up to date; the returns that were met, with what they return."""
        returns: list[tuple[cst.Return, Signature]] = []
        for node in block:
            if isinstance(node, cst.SimpleStatementLine):
                returns += self.run(node.body, env)
            elif isinstance(node, cst.Return):
                returns.append((node, UNKNOWN if node.value is None else self.infer(node.value, env)))
            elif isinstance(node, cst.Assign):
                value = self.infer(node.value, env)
                for target in node.targets:
                    self._bind(target.target, value, env, node.value)
            elif isinstance(node, cst.AnnAssign):
                if node.value is not None:
                    self._bind(node.target, self.infer(node.value, env), env)
            elif isinstance(node, cst.AugAssign):
                self._augment(node, env)
            elif isinstance(node, cst.If):
                returns += self._branch(node, env)
            elif isinstance(node, cst.With):
                returns += self.run(statements(node.body), env)
            elif isinstance(node, (cst.For, cst.While)):
                self._blur(node, env)
                returns += self.run(statements(node.body), env)
                self._blur(node, env)
            elif isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                env.pop(node.name.value, None)
            else:
                for name in names(node).writes:
                    env.pop(name, None)
        return returns

    def _branch(self, node: cst.If, env: Environment) -> list[tuple[cst.Return, Signature]]:
        taken, other = sides(node)
        env_taken, env_other = dict(env), dict(env)
        returns = self.run(taken, env_taken) + self.run(other, env_other)
        env.clear()
        for name in env_taken.keys() & env_other.keys():
            env[name] = self._told_apart(self.joined(env_taken[name], env_other[name]))
        return returns

    def _blur(self, node: cst.For | cst.While, env: Environment) -> None:
        """Names that a loop binds may have any signature in it; the storages they may share add up."""
        first = dict(env)
        if isinstance(node, cst.For):
            self._loop_targets(node, env)
        for name in names(node.body).writes:
            env.pop(name, None)
        heads = {name.value for name in targets(node.target)} if isinstance(node, cst.For) else set[str]()
        bound = {k: v for k, v in env.items() if k not in first or k in heads}
        written = names(node.body).writes
        merged = self._after_round(node, {**first, **bound}, first, written)
        # What counts from round to round counts for shapes too.
        for _ in range(_MOST_ROUNDS):
            if all(_same_size(first.get(name), merged.get(name)) for name in merged):
                break
            first = {**first, **merged}
            merged = self._after_round(node, {**first, **bound}, first, written)
        else:
            merged = {name: _sizeless(known) for name, known in merged.items()}
        for name, known in merged.items():
            env[name] = known
            if isinstance(known, Tensor):
                rooted = Tensor(known.dtype, known.shape, known.roots | {name}, known.permuted)
                env[name] = self._told_apart(rooted)

    def _after_round(
        self, node: cst.For | cst.While, trial: Environment, first: Environment, written: set[str]
    ) -> Environment:
        """What the names that a loop binds hold after no round, or one."""
        self.run(statements(node.body), trial)
        found: Environment = {}
        for name in written:
            one, two = first.get(name), trial.get(name)
            if one is not None and two is not None:
                found[name] = self.joined(one, two)
        return found

    def _told_apart(self, value: Signature) -> Signature:
        """A value under a name: whatever its shape is, what is computed from it elementwise has the same."""
        if isinstance(value, Tensor) and value.shape is None and not self.strict:
            return replace(value, shape=("unknown", next(self._numbers)))
        return value

    def joined(self, a: Signature, b: Signature) -> Signature:
        """What holds of a value that is the one or the other: what something is added to keeps its shape."""
        merged = join(a, b)
        if not isinstance(merged, Tensor) or merged.shape is not None or self.strict:
            return merged
        if isinstance(a, Tensor) and isinstance(b, Tensor) and agree(a, b, presume=True):
            shape = b.shape if isinstance(a.shape, Broadcast) else a.shape
            return Tensor(merged.dtype, shape, merged.roots, merged.permuted, merged.told)
        return merged

    def _loop_targets(self, node: cst.For, env: Environment) -> None:
        """Give the names that a loop binds the signatures of the elements."""
        for name in targets(node.target):
            env[name.value] = self._known_value(name) or UNKNOWN
        element = self._element(node.iter, env)
        if element != UNKNOWN:
            self._bind(node.target, element, env)

    def _element(self, node: cst.BaseExpression, env: Environment) -> Signature:
        """What a loop over an expression gives."""
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and not any(a.star for a in node.args):
            inner = [self._element(a.value, env) for a in node.args if a.keyword is None]
            if node.func.value == "zip":
                return Items("tuple", tuple(inner))
            if node.func.value == "enumerate" and inner:
                return Items("tuple", (Number(), inner[0]))
            return Number() if node.func.value == "range" else UNKNOWN
        held = self._held_modules(node)
        if held is not None:
            return held
        known = self.infer(node, dict(env))
        if isinstance(known, Tensor):
            return Tensor(known.dtype, row_shape(known.shape), known.roots, known.permuted)
        if isinstance(known, Items) and known.items:
            result = known.items[0]
            for item in known.items[1:]:
                result = join(result, item)
            return result
        return UNKNOWN

    def _held_modules(self, node: cst.BaseExpression) -> Signature | None:
        """What a loop over a list or dict of modules gives; None for other loops."""
        method = ""
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and not node.args:
            method, node = node.func.attr.value, node.func.value
        code = dotted(node)
        call = (
            self.submodules.held(code.removeprefix("self.")) if code.startswith("self.") and not self.strict else None
        )
        if call is None or method not in ("", "values", "items"):
            return None
        return Items("tuple", (UNKNOWN, Module(call))) if method == "items" else Module(call)

    def _bind(
        self, target: cst.CSTNode, value: Signature, env: Environment, given: cst.BaseExpression | None = None
    ) -> None:
        if isinstance(target, cst.Name):
            env[target.value] = self._told_apart(value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            items = value.items if isinstance(value, Items) and len(value.items) == len(target.elements) else None
            # The parts of one tensor, as `chunk` and `unbind` give them, share its storage.
            shared = None if given is None or _apart(given) else frozenset([self.tree.code(given)])
            for index, element in enumerate(target.elements):
                if items is not None and not isinstance(element, cst.StarredElement):
                    self._bind(element.value, items[index], env)
                else:
                    for name in targets(element.value):
                        known = self._known_value(name) or UNKNOWN
                        if shared is not None and isinstance(known, Tensor):
                            # Laid out anyhow, as `chunk` cuts it and a batch-first LSTM gives it.
                            known = Tensor(known.dtype, known.shape, shared, True, known.told)
                        env[name.value] = known

    def _augment(self, node: cst.AugAssign, env: Environment) -> None:
        if not isinstance(node.target, cst.Name):
            return
        left, right = self.infer(node.target, env), self.infer(node.value, env)
        if isinstance(left, Tensor):
            # In place: dtype, shape and storage stay.
            return
        env[node.target.value] = (
            Number(floating=right.floating) if isinstance(left, Number) and isinstance(right, Number) else UNKNOWN
        )

    # --- the interpreter's values -------------------------------------------------------------------------------

    def value(self, node: cst.CSTNode) -> domain.Value | None:
        """What the interpreter says of an expression of the text; None if nothing."""
        if self.overridden and names(node).reads & self.overridden:
            return None
        span = self.tree.span(self.origin.get(node, node))
        value = None if span is None else self.context.values.get(span)
        return None if value is None or value is domain.UNKNOWN else value

    def parts(self, node: cst.CSTNode) -> list[domain.Value]:
        """What the interpreter says of an expression and of all expressions in it."""
        value = self.value(node)
        found = [] if value is None else list(joins.choices(value))
        return found + [part for child in children(node) for part in self.parts(child)]

    def _known_value(self, node: cst.CSTNode) -> Signature | None:
        value = self.value(node)
        if value is None:
            return None
        return of_value(value, self.tree.code(node), frozenset([self.tree.code(node)]))

    # --- expressions --------------------------------------------------------------------------------------------

    def fresh(self) -> frozenset[str]:
        """The root of a storage that nothing else has."""
        return frozenset([f"#{next(self._numbers)}"])

    def infer(self, node: cst.BaseExpression, env: Environment) -> Signature:
        """The signature of an expression."""
        made = self.known.get(self.origin.get(node, node))
        if made is not None:
            return made
        alike = self.alike.get(node)
        if alike is not None:
            return self.infer(alike, env)
        mine = self._by_code(node, env)
        if isinstance(mine, (Number, Items)):
            return mine
        value = self.value(node)
        if value is None:
            return mine
        code = self.tree.code(node)
        seen = told(value, code, frozenset([code]))
        if not isinstance(seen, Tensor):
            return _anyhow(seen) if mine == UNKNOWN or isinstance(mine, Tensor) else mine
        if not isinstance(mine, Tensor):
            # Nothing is known of the operator: assume that its result is somebody's, and laid out anyhow.
            return Tensor(seen.dtype, seen.shape, self._touched(node, env), True, seen.told)
        concrete = (seen.told is not None and isinstance(seen.told[0], str)) or mine.dtype is None
        shape = SCALAR if seen.shape == SCALAR else mine.shape or seen.shape
        return Tensor(seen.dtype if concrete else mine.dtype, shape, mine.roots, mine.permuted, seen.told)

    def _touched(self, node: cst.BaseExpression, env: Environment) -> frozenset[str]:
        roots: set[str] = {self.tree.code(node)}
        for name in names(node).reads:
            known = env.get(name)
            roots |= known.roots if isinstance(known, Tensor) else {name}
        return frozenset(roots)

    def _by_code(self, node: cst.BaseExpression, env: Environment) -> Signature:
        if isinstance(node, cst.Name):
            return self._name(node, env)
        if isinstance(node, (cst.Integer, cst.Float)):
            return Number(
                node.value, isinstance(node, cst.Float), int(node.value, 0) if isinstance(node, cst.Integer) else None
            )
        if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
            return Other(self.tree.code(node))
        if isinstance(node, cst.UnaryOperation):
            return self._unary(node, env)
        if isinstance(node, cst.BinaryOperation):
            return self._binary(node.left, node.operator, node.right, env)
        if isinstance(node, cst.Comparison):
            return self._comparison(node, env)
        if isinstance(node, (cst.Tuple, cst.List)):
            if any(isinstance(e, cst.StarredElement) for e in node.elements):
                return UNKNOWN
            kind = "tuple" if isinstance(node, cst.Tuple) else "list"
            return Items(kind, tuple([self.infer(e.value, env) for e in node.elements]))
        if isinstance(node, cst.Dict):
            return self._dict(node, env)
        if isinstance(node, cst.IfExp):
            return join(self.infer(node.body, env), self.infer(node.orelse, env))
        if isinstance(node, cst.NamedExpr):
            value = self.infer(node.value, env)
            self._bind(node.target, value, env)
            return value
        if isinstance(node, cst.Subscript):
            return self._subscript(node, env)
        if isinstance(node, cst.Attribute):
            return self._attribute(node, env)
        if isinstance(node, cst.Call):
            return self._call(node, env)
        return UNKNOWN

    def _dict(self, node: cst.Dict, env: Environment) -> Signature:
        """A dict whose keys are written out, each once; its kind holds them."""
        keys = [self.tree.code(e.key) for e in node.elements if isinstance(e, cst.DictElement)]
        plain = all(isinstance(e, cst.DictElement) and isinstance(e.key, cst.SimpleString) for e in node.elements)
        if not plain or len(set(keys)) != len(keys):
            return UNKNOWN
        return Items(f"dict {keys}", tuple([self.infer(e.value, env) for e in node.elements]))

    def _name(self, node: cst.Name, env: Environment) -> Signature:
        if node.value in ("True", "False"):
            return Number(node.value)
        if node.value == "None":
            return Other("None")
        return env.get(node.value, UNKNOWN)

    def _unary(self, node: cst.UnaryOperation, env: Environment) -> Signature:
        operand = self.infer(node.expression, env)
        if isinstance(operand, Tensor):
            if isinstance(node.operator, cst.Not):
                return Number()
            if isinstance(node.operator, cst.Plus):
                return operand
            return Tensor(operand.dtype, operand.shape, self.fresh(), operand.permuted)
        if isinstance(operand, Number):
            negative = isinstance(node.operator, cst.Minus) and operand.size is not None
            return Number(
                self.tree.code(node) if operand.code else "",
                operand.floating,
                -operand.size if negative and operand.size is not None else None,
            )
        return UNKNOWN

    def _binary(
        self, left: cst.BaseExpression, operator: cst.CSTNode, right: cst.BaseExpression, env: Environment
    ) -> Signature:
        a, b = self.infer(left, env), self.infer(right, env)
        if isinstance(operator, cst.MatrixMultiply):
            if isinstance(a, Tensor) and isinstance(b, Tensor):
                return Tensor(promoted(a, b), product_shape(a.shape, b.shape), self.fresh())
            return UNKNOWN
        if not isinstance(operator, _ARITHMETIC):
            return UNKNOWN
        if isinstance(a, Number) and isinstance(b, Number):
            floats = a.floating or b.floating or isinstance(operator, (cst.Divide, cst.Power))
            return Number(floating=floats, size=_computed(operator, a.size, b.size))
        return self.arithmetic(a, b, isinstance(operator, cst.Divide))

    def arithmetic(self, a: Signature, b: Signature, division: bool = False) -> Signature:
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            dtype = promoted(a, b, self.strict)
            shape = broadcast(a, b, self.strict)
            permuted = a.permuted or b.permuted
        else:
            tensor, number = (a, b) if isinstance(a, Tensor) else (b, a)
            if not isinstance(tensor, Tensor) or not isinstance(number, Number):
                return UNKNOWN
            shape, permuted, dtype = tensor.shape, tensor.permuted, tensor.dtype
            if dtype == "bool":
                dtype = DEFAULT_FLOAT if number.floating else "int64"
            elif dtype in INTEGERS and (number.floating or not number.code):
                dtype = DEFAULT_FLOAT if number.floating else dtype
        if division and not floating(dtype):
            dtype = DEFAULT_FLOAT
        return Tensor(dtype, shape, self.fresh(), permuted)

    def _comparison(self, node: cst.Comparison, env: Environment) -> Signature:
        result = self.infer(node.left, env)
        if len(node.comparisons) != 1:
            return UNKNOWN
        (target,) = node.comparisons
        other = self.infer(target.comparator, env)
        if isinstance(target.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)):
            return Number()
        merged = self.arithmetic(result, other)
        if isinstance(merged, Tensor):
            return Tensor("bool", merged.shape, merged.roots, merged.permuted)
        return Number() if isinstance(result, Number) and isinstance(other, Number) else UNKNOWN

    def _subscript(self, node: cst.Subscript, env: Environment) -> Signature:
        base = self.infer(node.value, env)
        index = ", ".join([self.tree.code(e.slice) for e in node.slice])
        if isinstance(base, Items):
            return _item(base, node.slice)
        if isinstance(base, Module):
            call = self.submodules.held(dotted(node.value).removeprefix("self."))
            return Module(call) if call is not None and not isinstance(node.slice[0].slice, cst.Slice) else UNKNOWN
        if not isinstance(base, Tensor):
            return UNKNOWN
        counted = self.examples.subscript(node, base, env)
        if counted is not None:
            whole = all(isinstance(self._index(e, env), Tensor) for e in node.slice) and counted != base.shape
            gathered = any(isinstance(k := self._index(e, env), Tensor) and k.shape != SCALAR for e in node.slice)
            begin = node.slice[0].slice
            sizes = numeric(counted)
            if isinstance(begin, cst.Slice) and (begin.lower or begin.upper or begin.step) and sizes is not None:
                counted = Sliced(base.shape, index, sizes)
            return Tensor(base.dtype, counted, self.fresh() if gathered else base.roots, not whole)
        rows = self._rows(node, base, env)
        if rows is not None:
            return Tensor(base.dtype, rows, base.roots, base.permuted)
        mask = node.slice[0].slice if len(node.slice) == 1 else None
        known = self.infer(mask.value, env) if isinstance(mask, cst.Index) and mask.star is None else UNKNOWN
        if isinstance(known, Tensor) and known.dtype == "bool" and len(numeric(known.shape) or ()) == 1:
            # The rows that a mask picks, in storage of their own.
            return Tensor(base.dtype, None if base.shape is None else Picked(base.shape, index), self.fresh())
        stable = self.stable(node.slice, env)
        shape = ("index", base.shape, index) if base.shape is not None and stable else None
        return Tensor(base.dtype, shape, base.roots, True)

    def _index(self, element: cst.SubscriptElement, env: Environment) -> Signature:
        index = element.slice
        return self.infer(index.value, env) if isinstance(index, cst.Index) and index.star is None else UNKNOWN

    def _rows(self, node: cst.Subscript, base: Tensor, env: Environment) -> Hashable:
        """The shape of `t[i]` and `t[i, j]` with numbers as indices; None for any other subscript."""
        shape = base.shape
        for element in node.slice:
            index = element.slice
            known = self.infer(index.value, env) if isinstance(index, cst.Index) and index.star is None else UNKNOWN
            number = isinstance(known, Number) or (isinstance(known, Tensor) and known.shape == SCALAR)
            if not number or (isinstance(known, Tensor) and known.dtype == "bool"):
                return None
            shape = row_shape(shape)
        return shape

    def stable(self, nodes: Sequence[cst.CSTNode], env: Environment) -> bool:
        """Whether equal source of these arguments means equal values: they read nothing that changes."""
        found = names(nodes)
        return not found.writes and all(not isinstance(env.get(n), Tensor) for n in found.reads)

    def _attribute(self, node: cst.Attribute, env: Environment) -> Signature:
        base = self.infer(node.value, env)
        name = node.attr.value
        if isinstance(base, Tensor):
            if name in ops.TRANSPOSING_ATTRIBUTES:
                return Tensor(base.dtype, ("transposed", name, base.shape), base.roots, True)
            if name == "data":
                return base
            sizes = numeric(base.shape)
            if name == "shape" and sizes is not None:
                return Items("tuple", tuple([Number(size=n) for n in sizes]))
            if name == "dtype" and base.dtype is not None:
                return Dtype(base.dtype)
            if name in ("shape", "device", "dtype", "layout"):
                return UNKNOWN
            return Number(size=None if sizes is None else len(sizes)) if name == "ndim" else UNKNOWN
        if isinstance(base, Items) and base.kind.startswith("torch.return_types.") and name in ("values", "indices"):
            return base.items[name == "indices"]
        code = dotted(node)
        if code.startswith("torch.") and code.count(".") == 1 and (named := spelled_dtype(name)) is not None:
            return Dtype(normal(named))
        value = self.value(node)
        if code.startswith("self.") and code.count(".") == 1 and not self.strict:
            call = self.submodules.calls.get(name)
            number = self.submodules.numbers.get(code)
            if isinstance(number, int):
                return Number(size=number)
            if isinstance(number, tuple):
                return Items("tuple", tuple([Number(size=n) for n in number]))
            if call is not None and self.submodules.makes_module(call):
                return Module(call)
        if code and value is not None:
            found = of_value(value, code, frozenset([code]))
            if isinstance(found, Tensor) and found.shape != SCALAR:
                sizes = None if self.strict else self._held_sizes(code)
                return Tensor(found.dtype, Held(code, sizes), found.roots, False, found.told)
            return found
        return UNKNOWN

    def _held_sizes(self, code: str) -> tuple[int, ...] | None:
        """The sizes of a parameter or a buffer that the constructor makes, such as `nn.Parameter(torch.randn(4, n))`."""
        name = code.removeprefix("self.")
        made: cst.BaseExpression | None = self.submodules.buffers.get(name) or self.submodules.calls.get(name)
        if isinstance(made, cst.Call) and dotted(made.func).rpartition(".")[2] == "Parameter" and made.args:
            made = made.args[0].value
        if made is None:
            return None
        scope: Environment = {n: Number(size=v) for n, v in self.submodules.numbers.items() if isinstance(v, int)}
        known = self.infer(made, scope)
        return numeric(known.shape) if isinstance(known, Tensor) else None

    # --- calls --------------------------------------------------------------------------------------------------

    def _call(self, node: cst.Call, env: Environment) -> Signature:
        if any(arg.star for arg in node.args):
            return UNKNOWN
        if isinstance(node.func, cst.Attribute):
            namespace = dotted(node.func.value)
            if namespace in _NAMESPACES and namespace.split(".")[0] not in env:
                if node.func.attr.value == "cond":
                    return self.calls_known.conditional(node, env)
                return self._torch.function(node.func.attr.value, list(node.args), node, env)
            receiver = self.infer(node.func.value, env)
            if isinstance(receiver, Tensor):
                return self._torch.function(
                    node.func.attr.value, [cst.Arg(node.func.value), *node.args], node, env, receiver
                )
            if namespace == "self":
                return self.calls_known.module(node.func.attr.value, node, env)
        if isinstance(node.func, cst.Name):
            local = self.functions.get(node.func.value)
            if local is not None:
                return self.calls_known.called(local, parameters(local), node, env, env)
            made = env.get(node.func.value)
            if isinstance(made, Module):
                return self.calls_known.applied(made.call, node, env)
            if node.func.value in ("int", "len", "float", "bool", "round", "abs", "min", "max", "sum"):
                arguments = [self.infer(a.value, env) for a in node.args]
                if node.func.value in ("int", "len", "float", "bool") or all(isinstance(a, Number) for a in arguments):
                    return Number(floating=node.func.value == "float", size=_counted(node.func.value, arguments))
                if node.func.value == "abs" and isinstance(arguments[0], Tensor):
                    return self._torch.function("abs", list(node.args), node, env)
            if node.func.value not in env and self.submodules.imported_from_torch(node.func.value):
                return self._torch.function(node.func.value, list(node.args), node, env)
            if node.func.value not in env and node.func.value in self.globals:
                free = self.globals[node.func.value]
                return self.calls_known.called(free, parameters(free), node, env, {})
        if isinstance(node.func, cst.Subscript):
            chosen = self.infer(node.func, env)
            if isinstance(chosen, Module):
                return self.calls_known.applied(chosen.call, node, env)
        return UNKNOWN


# What gives several tensors, each in storage of its own.
_SEPARATE = frozenset(
    ("max", "min", "topk", "sort", "median", "mode", "kthvalue", "cummax", "cummin", "aminmax", "var_mean", "std_mean",
     "unique", "slogdet", "qr", "svd", "eigh", "frexp", "histogram")
)  # fmt: skip


def _anyhow(signature: Signature) -> Signature:
    """The same tensors, of whose strides nothing is known."""
    if isinstance(signature, Items):
        return Items(signature.kind, tuple([_anyhow(item) for item in signature.items]))
    if isinstance(signature, Tensor):
        return Tensor(signature.dtype, signature.shape, signature.roots, True, signature.told)
    return signature


def _same_size(a: Signature | None, b: Signature | None) -> bool:
    """Whether two values have the shape, or are the whole number, that the other has."""
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return numeric(a.shape) == numeric(b.shape)
    return not isinstance(a, Number) or not isinstance(b, Number) or a.size == b.size


def _sizeless(known: Signature) -> Signature:
    if isinstance(known, Tensor):
        return replace(known, shape=None)
    return replace(known, size=None, code="") if isinstance(known, Number) else known


def _item(base: Items, index: Sequence[cst.SubscriptElement]) -> Signature:
    """An element of a tuple or list, or a slice of it."""
    if len(index) != 1:
        return UNKNOWN
    (element,) = index
    if base.kind.startswith("dict"):
        return UNKNOWN
    if isinstance(element.slice, cst.Slice):
        ends = [evaluated(end, {}) if end is not None else None for end in (element.slice.lower, element.slice.upper)]
        written = [end for end in (element.slice.lower, element.slice.upper) if end is not None]
        if element.slice.step is not None or len(written) != sum(isinstance(end, int) for end in ends):
            return UNKNOWN
        start, stop = [end if isinstance(end, int) else None for end in ends]
        return Items(base.kind, base.items[start:stop])
    at = evaluated(element.slice.value, {}) if isinstance(element.slice, cst.Index) else None
    return base.items[at] if isinstance(at, int) and -len(base.items) <= at < len(base.items) else UNKNOWN


def _computed(operator: cst.CSTNode, a: int | None, b: int | None) -> int | None:
    """Arithmetic of whole numbers."""
    if a is None or b is None or not isinstance(operator, cst.BaseBinaryOp):
        return None
    found = evaluated(cst.BinaryOperation(_whole(a), operator, _whole(b)), {})
    return found if isinstance(found, int) else None


def _whole(number: int) -> cst.BaseExpression:
    return cst.parse_expression(str(number))


def _counted(name: str, arguments: Sequence[Signature]) -> int | None:
    """The whole number that a function of Python's gives."""
    if name == "len" and len(arguments) == 1:
        (known,) = arguments
        sizes = numeric(known.shape) if isinstance(known, Tensor) else None
        return sizes[0] if sizes else len(known.items) if isinstance(known, Items) else None
    found = [a.size for a in arguments if isinstance(a, Number) and a.size is not None]
    if not found or len(found) != len(arguments):
        return None
    if name in ("min", "max") and len(found) > 1:
        return min(found) if name == "min" else max(found)
    return found[0] if name == "int" and len(found) == 1 else None


def _apart(node: cst.BaseExpression) -> bool:
    """Whether an expression gives tensors that share no storage with one another."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _SEPARATE
