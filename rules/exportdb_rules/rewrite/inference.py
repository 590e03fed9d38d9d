"""Signatures of expressions, by walking straight-line code: the interpreter's values first, then the code's shape."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.rewrite import operators as ops
from exportdb_rules.rewrite.known_calls import KnownCalls, own_functions
from exportdb_rules.rewrite.liveness import sides
from exportdb_rules.rewrite.modules import submodules
from exportdb_rules.rewrite.names import names, parameters, targets
from exportdb_rules.rewrite.signature import (
    DEFAULT_FLOAT,
    INTEGERS,
    SCALAR,
    UNKNOWN,
    Broadcast,
    Held,
    Items,
    Number,
    Other,
    Picked,
    Signature,
    Tensor,
    agree,
    broadcast,
    floating,
    join,
    numeric,
    promoted,
    row_shape,
)
from exportdb_rules.rewrite.told import of_value, told
from exportdb_rules.rewrite.torch_calls import TorchCalls
from exportdb_rules.rewrite.tree import children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.tree import Tree

Environment = dict[str, Signature]

_NAMESPACES = ("torch", "torch.nn.functional", "F", "nn.functional", "torch.special", "torch.linalg")
_ARITHMETIC = (
    cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power,
    cst.BitAnd, cst.BitOr, cst.BitXor, cst.LeftShift, cst.RightShift,
)  # fmt: skip


class Inference:
    """Signatures within one function. `known` holds those of nodes that a rewrite made itself; `origin` the node of
    the text that a changed one stands for."""

    def __init__(self, tree: Tree, context: FixContext, function: cst.FunctionDef, owner: cst.ClassDef | None) -> None:
        self.tree = tree
        self.context = context
        self.function = function
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
        self.submodules = submodules(tree.module, owner)
        self._torch = TorchCalls(self)
        self._known_code = KnownCalls(self)
        self._numbers = count(1)

    # --- environments -------------------------------------------------------------------------------------------

    def entry(self) -> Environment:
        """The signatures of the function's parameters."""
        env: Environment = {}
        for parameter in parameters(self.function):
            name = parameter.name.value
            value = self.value(parameter.name)
            if value is not None:
                env[name] = of_value(value, name, frozenset([name]))
                shown = None if self.strict else self.submodules.examples.get(name)
                known = env[name]
                if shown is not None and isinstance(known, Tensor) and self.function.name.value == "forward":
                    dtype = known.dtype if shown[0] is None else shown[0]
                    env[name] = Tensor(dtype, shown[1], known.roots, known.permuted, known.told)
        return env

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
            env[name] = self.joined(env_taken[name], env_other[name])
        return returns

    def _blur(self, node: cst.For | cst.While, env: Environment) -> None:
        """Names that a loop binds may have any signature in it; the storages they may share add up."""
        first = dict(env)
        if isinstance(node, cst.For):
            self._loop_targets(node, env)
        for name in names(node.body).writes:
            env.pop(name, None)
        trial = {**first, **{k: v for k, v in env.items() if k not in first}}
        self.run(statements(node.body), trial)
        for name in names(node.body).writes:
            one, two = first.get(name), trial.get(name)
            if one is not None and two is not None:
                env[name] = merged = self.joined(one, two)
                if isinstance(merged, Tensor):
                    env[name] = Tensor(merged.dtype, merged.shape, merged.roots | {name}, merged.permuted)

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
        known = self.infer(node, dict(env))
        if isinstance(known, Tensor):
            return Tensor(known.dtype, row_shape(known.shape), known.roots, known.permuted)
        if isinstance(known, Items) and known.items:
            result = known.items[0]
            for item in known.items[1:]:
                result = join(result, item)
            return result
        return UNKNOWN

    def _bind(
        self, target: cst.CSTNode, value: Signature, env: Environment, given: cst.BaseExpression | None = None
    ) -> None:
        if isinstance(target, cst.Name):
            env[target.value] = value
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
        found = [] if value is None else list(domain.choices(value))
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
        concrete = isinstance(seen.dtype, str) or mine.dtype is None
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
            return Number(node.value, isinstance(node, cst.Float))
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
            return Number(self.tree.code(node) if operand.code else "", operand.floating)
        return UNKNOWN

    def _binary(
        self, left: cst.BaseExpression, operator: cst.CSTNode, right: cst.BaseExpression, env: Environment
    ) -> Signature:
        a, b = self.infer(left, env), self.infer(right, env)
        if isinstance(operator, cst.MatrixMultiply):
            if isinstance(a, Tensor) and isinstance(b, Tensor):
                return Tensor(promoted(a, b), ("matmul", a.shape, b.shape), self.fresh())
            return UNKNOWN
        if not isinstance(operator, _ARITHMETIC):
            return UNKNOWN
        if isinstance(a, Number) and isinstance(b, Number):
            return Number(floating=a.floating or b.floating or isinstance(operator, (cst.Divide, cst.Power)))
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
            try:
                return base.items[int(index)]
            except (ValueError, IndexError):
                return UNKNOWN
        if not isinstance(base, Tensor):
            return UNKNOWN
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
            if name in ("shape", "device", "dtype", "layout"):
                return UNKNOWN
            return Number() if name == "ndim" else UNKNOWN
        code = dotted(node)
        value = self.value(node)
        if code and value is not None:
            found = of_value(value, code, frozenset([code]))
            if isinstance(found, Tensor) and found.shape != SCALAR:
                return Tensor(found.dtype, Held(code), found.roots, False, found.told)
            return found
        return UNKNOWN

    # --- calls --------------------------------------------------------------------------------------------------

    def _call(self, node: cst.Call, env: Environment) -> Signature:
        if any(arg.star for arg in node.args):
            return UNKNOWN
        if isinstance(node.func, cst.Attribute):
            namespace = dotted(node.func.value)
            if namespace in _NAMESPACES and namespace.split(".")[0] not in env:
                if node.func.attr.value == "cond":
                    return self._known_code.conditional(node, env)
                return self._torch.function(node.func.attr.value, list(node.args), node, env)
            receiver = self.infer(node.func.value, env)
            if isinstance(receiver, Tensor):
                return self._torch.function(
                    node.func.attr.value, [cst.Arg(node.func.value), *node.args], node, env, receiver
                )
            if namespace == "self":
                return self._known_code.module(node.func.attr.value, node, env)
        if isinstance(node.func, cst.Name):
            local = self.functions.get(node.func.value)
            if local is not None:
                return self._known_code.called(local, parameters(local), node, env, env)
            if node.func.value in ("int", "len", "float", "bool", "round", "abs", "min", "max", "sum"):
                arguments = [self.infer(a.value, env) for a in node.args]
                if node.func.value in ("int", "len", "float", "bool") or all(isinstance(a, Number) for a in arguments):
                    return Number(floating=node.func.value == "float")
                if node.func.value == "abs" and isinstance(arguments[0], Tensor):
                    return self._torch.function("abs", list(node.args), node, env)
            if node.func.value not in env and self.submodules.imported_from_torch(node.func.value):
                return self._torch.function(node.func.value, list(node.args), node, env)
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


def _apart(node: cst.BaseExpression) -> bool:
    """Whether an expression gives tensors that share no storage with one another."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _SEPARATE
