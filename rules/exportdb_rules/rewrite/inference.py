"""Signatures of expressions, by walking straight-line code: the interpreter's values first, then the code's shape."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.rewrite import operators as ops
from exportdb_rules.rewrite.liveness import sides
from exportdb_rules.rewrite.modules import Submodules
from exportdb_rules.rewrite.names import names, parameters, targets
from exportdb_rules.rewrite.signature import (
    DEFAULT_FLOAT,
    INTEGERS,
    SCALAR,
    UNKNOWN,
    Held,
    Items,
    Number,
    Other,
    Reduced,
    Signature,
    Tensor,
    broadcast,
    floating,
    join,
    normal,
    promoted,
)
from exportdb_rules.rewrite.tree import children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.tree import Tree

Environment = dict[str, Signature]

_NAMESPACES = ("torch", "torch.nn.functional", "F", "nn.functional", "torch.special", "torch.linalg")
_ARITHMETIC = (
    cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power,
    cst.BitAnd, cst.BitOr, cst.BitXor, cst.LeftShift, cst.RightShift,
)  # fmt: skip


class Inference:
    """Signatures within one function. `known` holds those of nodes that a rewrite made itself."""

    def __init__(self, tree: Tree, context: FixContext, function: cst.FunctionDef, owner: cst.ClassDef | None) -> None:
        self.tree = tree
        self.context = context
        self.function = function
        self.strict = False
        self.known: dict[cst.CSTNode, Signature] = {}
        self.submodules = Submodules(tree.module, owner)
        self._numbers = count(1)
        self._depth = 0

    # --- environments -------------------------------------------------------------------------------------------

    def entry(self) -> Environment:
        """The signatures of the function's parameters."""
        env: Environment = {}
        for parameter in parameters(self.function):
            name = parameter.name.value
            value = self.value(parameter.name)
            if value is not None:
                env[name] = self._of_value(value, name, frozenset([name]))
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
                    self._bind(target.target, value, env)
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
            env[name] = join(env_taken[name], env_other[name])
        return returns

    def _blur(self, node: cst.For | cst.While, env: Environment) -> None:
        """Names that a loop binds may have any signature in it; the storages they may share add up."""
        first = dict(env)
        if isinstance(node, cst.For):
            for name in targets(node.target):
                env[name.value] = self._known_value(name) or UNKNOWN
        for name in names(node.body).writes:
            env.pop(name, None)
        trial = {**first, **{k: v for k, v in env.items() if k not in first}}
        self.run(statements(node.body), trial)
        for name in names(node.body).writes:
            one, two = first.get(name), trial.get(name)
            if one is not None and two is not None:
                env[name] = join(one, two)
                merged = env[name]
                if isinstance(merged, Tensor):
                    env[name] = Tensor(merged.dtype, merged.shape, merged.roots | {name}, merged.permuted)

    def _bind(self, target: cst.CSTNode, value: Signature, env: Environment) -> None:
        if isinstance(target, cst.Name):
            env[target.value] = value
        elif isinstance(target, (cst.Tuple, cst.List)):
            items = value.items if isinstance(value, Items) and len(value.items) == len(target.elements) else None
            for index, element in enumerate(target.elements):
                if items is not None and not isinstance(element, cst.StarredElement):
                    self._bind(element.value, items[index], env)
                else:
                    for name in targets(element.value):
                        env[name.value] = self._known_value(name) or UNKNOWN

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
        span = self.tree.span(node)
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
        return self._of_value(value, self.tree.code(node), frozenset([self.tree.code(node)]))

    def _of_value(self, value: domain.Value, code: str, roots: frozenset[str]) -> Signature:
        """The signature of a name or an attribute, whose dtype is taken to be floating for want of evidence."""
        told = self._told(value, code, roots)
        if not isinstance(told, Tensor):
            return told
        return Tensor(
            DEFAULT_FLOAT if told.dtype is None or not isinstance(told.dtype, str) else told.dtype,
            ("of", code) if told.shape is None else told.shape,
            roots,
            told.permuted,
            told.told,
        )

    def _told(self, value: domain.Value, code: str, roots: frozenset[str]) -> Signature:
        """What the interpreter alone says."""
        kinds = domain.choices(value)
        if all(type(c) is domain.Tensor for c in kinds):
            tensors = [c for c in kinds if isinstance(c, domain.Tensor)]
            dtypes = {c.dtype for c in tensors}
            shapes = {SCALAR if c.rank == 0 else c.shape for c in tensors}
            shape = shapes.pop() if len(shapes) == 1 else None
            if any(c.unbacked for c in tensors):
                shape = None
            dtype = dtypes.pop() if len(dtypes) == 1 else None
            return Tensor(normal(dtype), shape, roots, False, (dtype, shape))
        if all(_numeric(c) for c in kinds):
            return Number(floating=any(_floats(c) for c in kinds))
        if isinstance(value, domain.Sequence) and value.items is not None and value.type in ("tuple", "list"):
            parts = [self._of_value(v, f"{code}[{i}]", roots) for i, v in enumerate(value.items)]
            return Items(value.type, tuple(parts))
        return UNKNOWN

    # --- expressions --------------------------------------------------------------------------------------------

    def fresh(self) -> frozenset[str]:
        """The root of a storage that nothing else has."""
        return frozenset([f"#{next(self._numbers)}"])

    def infer(self, node: cst.BaseExpression, env: Environment) -> Signature:
        """The signature of an expression."""
        if node in self.known:
            return self.known[node]
        mine = self._by_code(node, env)
        if isinstance(mine, (Number, Items)):
            return mine
        value = self.value(node)
        if value is None:
            return mine
        code = self.tree.code(node)
        told = self._told(value, code, frozenset([code]))
        if not isinstance(told, Tensor):
            return told if mine == UNKNOWN or isinstance(mine, Tensor) else mine
        if not isinstance(mine, Tensor):
            # Nothing is known of the operator: assume that its result is somebody's, and laid out anyhow.
            return Tensor(told.dtype, told.shape, self._touched(node, env), True, told.told)
        concrete = isinstance(told.dtype, str) or mine.dtype is None
        shape = SCALAR if told.shape == SCALAR else mine.shape or told.shape
        return Tensor(told.dtype if concrete else mine.dtype, shape, mine.roots, mine.permuted, told.told)

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
        return self._arithmetic(a, b, isinstance(operator, cst.Divide))

    def _arithmetic(self, a: Signature, b: Signature, division: bool = False) -> Signature:
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            dtype = promoted(a, b)
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
        merged = self._arithmetic(result, other)
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
        stable = self._stable(node.slice, env)
        shape = ("index", base.shape, index) if base.shape is not None and stable else None
        return Tensor(base.dtype, shape, base.roots, True)

    def _stable(self, nodes: Sequence[cst.CSTNode], env: Environment) -> bool:
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
            found = self._of_value(value, code, frozenset([code]))
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
                return self._function(node.func.attr.value, list(node.args), node, env)
            receiver = self.infer(node.func.value, env)
            if isinstance(receiver, Tensor):
                return self._function(node.func.attr.value, [cst.Arg(node.func.value), *node.args], node, env, receiver)
            if namespace == "self":
                return self._module(node.func.attr.value, node, env)
        if isinstance(node.func, cst.Name):
            if node.func.value in ("int", "len", "float", "bool", "round", "abs", "min", "max", "sum"):
                arguments = [self.infer(a.value, env) for a in node.args]
                if node.func.value in ("int", "len", "float", "bool") or all(isinstance(a, Number) for a in arguments):
                    return Number(floating=node.func.value == "float")
                if node.func.value == "abs" and isinstance(arguments[0], Tensor):
                    return self._function("abs", list(node.args), node, env)
            if node.func.value not in env and self.submodules.imported_from_torch(node.func.value):
                return self._function(node.func.value, list(node.args), node, env)
        return UNKNOWN

    def _function(
        self,
        name: str,
        args: list[cst.Arg],
        node: cst.Call,
        env: Environment,
        receiver: Tensor | None = None,
    ) -> Signature:
        """A torch function or method; `args` has the receiver first."""
        inplace = name.endswith("_") and not name.endswith("__")
        plain = name[:-1] if inplace else name
        keywords = {a.keyword.value: a.value for a in args if a.keyword is not None}
        if "out" in keywords:
            return UNKNOWN
        if name in ops.NEW:
            return self._new(args, keywords, env)
        if receiver is not None and name.removeprefix("new_") in ops.NEW:
            made = self._new(args[1:2], keywords, env)
            kept = isinstance(made, Tensor) and "dtype" not in keywords
            return Tensor(receiver.dtype, made.shape, made.roots) if kept and isinstance(made, Tensor) else made
        positional = [a.value for a in args if a.keyword is None]
        first: Signature = receiver or (self.infer(positional[0], env) if positional else UNKNOWN)
        if name in ("stack", "cat", "concat", "hstack", "vstack"):
            return self._cat(name, first, node, env)
        if name == "where" and len(positional) == 3:
            merged = self._arithmetic(self.infer(positional[1], env), self.infer(positional[2], env))
            return merged if isinstance(merged, Tensor) else UNKNOWN
        if name in ("maximum", "minimum", *ops.BINARY) and len(positional) > 1 and not isinstance(first, Tensor):
            return self._arithmetic(first, self.infer(positional[1], env))
        if name in ("tensor", "as_tensor", "scalar_tensor"):
            return self._literal(first, keywords)
        if not isinstance(first, Tensor):
            return UNKNOWN
        if inplace and receiver is not None:
            return first
        if name == "item":
            return Number(floating=floating(first.dtype))
        if name in ("size", "numel", "dim", "stride", "storage_offset"):
            return Number() if name != "size" or len(args) > 1 else UNKNOWN
        return self._elementwise(plain, first, positional[1:], keywords, env) or self._other(
            plain, first, node, args, env
        )

    def _elementwise(
        self,
        name: str,
        first: Tensor,
        rest: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Tensor | None:
        dtype: object = normal(self._dtype(keywords["dtype"])) if "dtype" in keywords else None
        if name in ops.FLOATING:
            kept = first.dtype if floating(first.dtype) else DEFAULT_FLOAT
            return Tensor(dtype or kept, first.shape, self.fresh(), first.permuted)
        if name in ops.KEEPING or name in ops.LIKE:
            kept = first.dtype
            if name in ("cumsum", "cumprod") and not floating(kept):
                kept = "int64"
            return Tensor(dtype or kept, first.shape, self.fresh(), first.permuted)
        if name in ops.BINARY or name in ops.COMPARISONS:
            merged: Signature = first
            for other in rest:
                merged = self._arithmetic(merged, self.infer(other, env), name in ("div", "divide", "true_divide"))
            if not isinstance(merged, Tensor):
                return None
            return Tensor(
                "bool" if name in ops.COMPARISONS else merged.dtype, merged.shape, self.fresh(), merged.permuted
            )
        if name in ops.PREDICATES:
            return Tensor("bool", first.shape, self.fresh(), first.permuted)
        if name in ("dropout", "alpha_dropout", "feature_dropout"):
            return first
        return None

    def _other(self, name: str, first: Tensor, node: cst.Call, args: list[cst.Arg], env: Environment) -> Signature:
        rest = args[1:]
        code = ", ".join([self.tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in rest])
        stable = self._stable(rest, env) and first.shape is not None
        if name in ops.REDUCTIONS | ops.BOOLEAN_REDUCTIONS | ops.INDEX_REDUCTIONS:
            if name in ("max", "min", "median") and rest:
                return UNKNOWN
            shape = Reduced(first.shape, code) if stable else None
            if not rest:
                shape = SCALAR
            dtype: object = first.dtype
            if name in ops.BOOLEAN_REDUCTIONS:
                dtype = "bool"
            elif name in ops.INDEX_REDUCTIONS or (name in ("sum", "prod", "nansum") and not floating(first.dtype)):
                dtype = "int64"
            return Tensor(dtype, shape, self.fresh())
        if name in ops.CASTS:
            roots = (
                first.roots if normal(ops.CASTS[name]) == first.dtype or first.dtype == DEFAULT_FLOAT else self.fresh()
            )
            return Tensor(ops.CASTS[name], first.shape, roots, first.permuted)
        if name in ops.PASSING:
            return self._passing(name, first, rest)
        if name in ("chunk", "split", "unbind"):
            return UNKNOWN
        if name in ops.VIEWS:
            return Tensor(
                first.dtype, ("view", name, first.shape, code) if stable else None, first.roots, first.permuted
            )
        if name in ops.TRANSPOSING:
            return Tensor(first.dtype, ("view", name, first.shape, code) if stable else None, first.roots, True)
        if name in ops.MAKING:
            sources = [self.infer(a.value, env) for a in rest]
            shapes = tuple(
                [
                    s.shape if isinstance(s, Tensor) else self.tree.code(a.value)
                    for s, a in zip(sources, rest, strict=True)
                ]
            )
            shape = ("made", name, first.shape, shapes)
            if name in ops.LOSSES and "reduction" not in code:
                shape = SCALAR
            if name in ("masked_fill", "masked_scatter", "index_fill", "index_add", "scatter", "scatter_add", "fill"):
                shape = first.shape
            dtype = "int64" if name in ("one_hot", "bincount") else first.dtype
            if name == "embedding":
                second = sources[0] if sources else UNKNOWN
                dtype = second.dtype if isinstance(second, Tensor) else None
            return Tensor(dtype, shape, self.fresh(), name == "einsum")
        return UNKNOWN

    def _passing(self, name: str, first: Tensor, rest: list[cst.Arg]) -> Signature:
        if name == "to":
            dtype: object = first.dtype
            for arg in rest:
                named = self._dtype(arg.value)
                if named is not None:
                    dtype = normal(named)
                elif arg.keyword is not None and arg.keyword.value == "dtype":
                    dtype = None
                elif not self.tree.code(arg.value).endswith(("device", "'cpu'", '"cpu"', "'cuda'", '"cuda"')):
                    dtype = None if arg.keyword is None else dtype
            return Tensor(dtype, first.shape, first.roots, first.permuted)
        if name in ("type_as", "type"):
            return Tensor(None, first.shape, first.roots, first.permuted)
        return Tensor(first.dtype, first.shape, first.roots, first.permuted and name != "contiguous")

    def _dtype(self, node: cst.BaseExpression) -> str | None:
        code = dotted(node)
        if not code.startswith("torch."):
            return None
        name = code.removeprefix("torch.")
        spelled = {"long": "int64", "int": "int32", "half": "float16", "double": "float64", "float": "float32"}
        name = spelled.get(name, name)
        known = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
        return name if name in known else None

    def _new(self, args: list[cst.Arg], keywords: dict[str, cst.BaseExpression], env: Environment) -> Signature:
        sizes = [a for a in args if a.keyword is None]
        code = ", ".join([self.tree.code(a.value) for a in sizes])
        dtype: object = normal(self._dtype(keywords["dtype"])) if "dtype" in keywords else DEFAULT_FLOAT
        shape = ("new", code) if self._stable(sizes, env) else None
        if code in ("()", "[]"):
            shape = SCALAR
        return Tensor(dtype, shape, self.fresh())

    def _literal(self, value: Signature, keywords: dict[str, cst.BaseExpression]) -> Signature:
        if not isinstance(value, Number) or not value.code:
            return UNKNOWN
        dtype: object = DEFAULT_FLOAT if value.floating else "int64"
        if value.code in ("True", "False"):
            dtype = "bool"
        if "dtype" in keywords:
            dtype = normal(self._dtype(keywords["dtype"]))
        return Tensor(dtype, SCALAR, self.fresh())

    def _cat(self, name: str, first: Signature, node: cst.Call, env: Environment) -> Signature:
        if not isinstance(first, Items) or not all(isinstance(i, Tensor) for i in first.items):
            return UNKNOWN
        tensors = [i for i in first.items if isinstance(i, Tensor)]
        dtypes = {t.dtype for t in tensors}
        shapes = tuple([t.shape for t in tensors])
        rest = ", ".join([self.tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in node.args[1:]])
        if None in shapes or len(dtypes) != 1 or not self._stable(node.args[1:], env):
            return Tensor(None, None, self.fresh())
        return Tensor(dtypes.pop(), (name, shapes, rest), self.fresh())

    def _module(self, name: str, node: cst.Call, env: Environment) -> Signature:
        """A call of `self.<name>`: what the module that the constructor put there makes of its input."""
        own = self.submodules.methods.get(name)
        if own is not None:
            return self._own_method(own, node, env)
        inputs = [self.infer(a.value, env) for a in node.args]
        result = self.submodules.result(name, inputs, self.fresh)
        return UNKNOWN if result is None else result

    def _own_method(self, method: cst.FunctionDef, node: cst.Call, env: Environment) -> Signature:
        """A call of a method of the same class: what its returns have in common."""
        if self._depth > 3 or method.decorators or method.asynchronous is not None:
            return UNKNOWN
        inner: Environment = {}
        for parameter, arg in zip(parameters(method)[1:], node.args, strict=False):
            if arg.keyword is None:
                inner[parameter.name.value] = self.infer(arg.value, env)
        for arg in node.args:
            if arg.keyword is not None:
                inner[arg.keyword.value] = self.infer(arg.value, env)
        self._depth += 1
        try:
            returned = [signature for _, signature in self.run(statements(method.body), inner)]
        finally:
            self._depth -= 1
        if not returned:
            return UNKNOWN
        result = returned[0]
        for other in returned[1:]:
            result = join(result, other)
        return result


def _numeric(value: domain.Value) -> bool:
    if isinstance(value, domain.Const):
        return isinstance(value.value, (bool, int, float))
    if isinstance(value, (domain.Static, domain.TraceTime)):
        return value.type in ("int", "float", "bool")
    return isinstance(value, domain.Sym)


def _floats(value: domain.Value) -> bool:
    if isinstance(value, domain.Const):
        return isinstance(value.value, float)
    return getattr(value, "type", "") == "float"
