"""Signatures of expressions: the interpreter's values first, then the code's shape."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.known.known_calls import KnownCalls
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.known.observed import observed_signature, of_value
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    NOTHING,
    SCALAR,
    UNKNOWN,
    AttributeShape,
    Dtype,
    Items,
    Number,
    Other,
    Signature,
    TensorSignature,
    amount,
    broadcast,
    counted,
    floating,
    join,
    not_none,
    promoted,
    whole,
)
from exportdb_rules.rewrite.known.subscripts import Subscripts
from exportdb_rules.rewrite.known.torch_calls import TorchCalls, spelled_dtype
from exportdb_rules.rewrite.tree import children, dotted
from exportdb_rules.torch_api import PERMUTING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.known.modules import Submodules
    from exportdb_rules.rewrite.tree import Tree


Environment = dict[str, Signature]

_NAMESPACES = ("torch", "torch.nn.functional", "F", "nn.functional", "torch.special", "torch.linalg")
_ARITHMETIC = (
    cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power,
    cst.BitAnd, cst.BitOr, cst.BitXor, cst.LeftShift, cst.RightShift,
)  # fmt: skip


class Expressions(ABC):
    """What expressions of one function give. `known` holds the signatures of nodes that a rewrite made itself; `origin` the
    node of the text that a changed one stands for; `alike` made expressions that give what others do; `overridden` the
    names that hold something else in the rewritten code than the interpreter saw in the old one; `rebound` those of numbers
    that differ between the sides of a branch; `numbers` tells fresh storages and unknown shapes apart."""

    tree: Tree
    context: FixContext
    strict: bool
    known: dict[cst.CSTNode, Signature]
    origin: dict[cst.CSTNode, cst.CSTNode]
    overridden: set[str]
    rebound: set[str]
    alike: dict[cst.CSTNode, cst.BaseExpression]
    function: cst.FunctionDef
    functions: dict[str, cst.FunctionDef]
    globals: Mapping[str, cst.FunctionDef]
    submodules: Submodules
    torch_calls: TorchCalls
    calls_known: KnownCalls
    subscripts: Subscripts
    numbers: Iterator[int]

    @abstractmethod
    def bind(
        self, target: cst.CSTNode, value: Signature, env: Environment, given: cst.BaseExpression | None = None
    ) -> None:
        """Give the names of a target the signatures of a value, which `given` computed."""

    def value(self, node: cst.CSTNode) -> domain.Value | None:
        """What the interpreter says of an expression of the text; None if nothing."""
        span = self.tree.span(self.origin.get(node, node))
        value = None if span is None else self.context.values.get(span)
        if self.overridden and names(node).reads & self.overridden and not self._stays(node, value):
            return None
        return None if value is None or value is domain.TOP else value

    def _stays(self, node: cst.CSTNode, value: domain.Value | None) -> bool:
        """Whether what a module makes of values is alike, whatever they are now."""
        return isinstance(node, cst.Call) and type(value) is domain.Tensor and self.module(node.func) is not None

    @property
    def example_sizes(self) -> Mapping[str, int] | None:
        """The sizes of the dynamic dimensions that may be presumed; None where nothing is."""
        return None if self.strict else self.context.sizes

    def is_tensor(self, node: cst.CSTNode) -> bool:
        """Whether the interpreter saw a tensor there, and nothing else."""
        value = self.value(node)
        return value is not None and all(type(choice) is domain.Tensor for choice in lattice.choices(value))

    def module(self, node: cst.CSTNode) -> domain.Instance | None:
        """The module that an expression gives: any of several of one class; None where it gives something else."""
        value = self.value(node)
        owner, _, name = dotted(node).rpartition(".")
        if value is None and owner == "self" and (given := parameters(self.function)):
            this = self.value(given[0].name)
            value = this.attributes.get(name) if isinstance(this, domain.Instance) else None
        found = lattice.choices(value or domain.TOP)
        modules = [one for one in found if isinstance(one, domain.Instance) and one.external.startswith("torch.nn.")]
        alike = len(modules) == len(found) and len({(one.external, one.cls) for one in modules}) == 1
        return modules[0] if alike else None

    def parts(self, node: cst.CSTNode) -> list[domain.Value]:
        """What the interpreter says of an expression and of all expressions in it."""
        value = self.value(node)
        found = [] if value is None else list(lattice.choices(value))
        return found + [part for child in children(node) for part in self.parts(child)]

    def known_value(self, node: cst.CSTNode) -> Signature | None:
        """The signature of what the interpreter says of an expression, taken to be floating for want of evidence."""
        value = self.value(node)
        if value is None:
            return None
        code = self.tree.code(node)
        return of_value(value, code, frozenset([code]), self.example_sizes)

    def fresh(self) -> frozenset[str]:
        """A storage that nothing else has."""
        return frozenset([f"#{next(self.numbers)}"])

    def infer(self, node: cst.BaseExpression, env: Environment) -> Signature:
        """The signature of an expression."""
        made = self.known.get(self.origin.get(node, node))
        if made is not None:
            return made
        alike = self.alike.get(node)
        if alike is not None:
            return self.infer(alike, env)
        mine = self._by_code(node, env)
        value = self.value(node)
        if value is None or isinstance(mine, Items) or whole(mine) is not None:
            return mine
        code = self.tree.code(node)
        seen = observed_signature(value, code, frozenset([code]), self.example_sizes)
        if isinstance(mine, Number):
            return replace(mine, size=whole(seen))
        if isinstance(seen, TensorSignature):
            mine = not_none(mine)
        if not isinstance(seen, TensorSignature):
            return _anyhow(seen) if mine == UNKNOWN or isinstance(mine, TensorSignature) else mine
        if not isinstance(mine, TensorSignature):
            # Nothing is known of the operator: assume that its result is somebody's, and laid out anyhow.
            return TensorSignature(seen.dtype, seen.shape, self._touched(node, env), True, seen.observed)
        concrete = (seen.observed is not None and isinstance(seen.observed[0], str)) or mine.dtype is None
        sure = counted(seen.shape) is not None and counted(mine.shape) is None
        shape = seen.shape if sure or mine.shape is None else mine.shape
        return TensorSignature(
            seen.dtype if concrete else mine.dtype, shape, mine.storages, mine.maybe_noncontiguous, seen.observed
        )

    def _touched(self, node: cst.BaseExpression, env: Environment) -> frozenset[str]:
        storages: set[str] = {self.tree.code(node)}
        for name in names(node).reads:
            known = env.get(name)
            storages |= known.storages if isinstance(known, TensorSignature) else {name}
        return frozenset(storages)

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
            self.bind(node.target, value, env)
            return value
        if isinstance(node, cst.Subscript):
            return self.subscripts.item(node, env)
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
            return NOTHING
        return env.get(node.value, UNKNOWN)

    def _unary(self, node: cst.UnaryOperation, env: Environment) -> Signature:
        operand = self.infer(node.expression, env)
        if isinstance(operand, TensorSignature):
            if isinstance(node.operator, cst.Not):
                return Number()
            if isinstance(node.operator, cst.Plus):
                return operand
            return TensorSignature(operand.dtype, operand.shape, self.fresh(), operand.maybe_noncontiguous)
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
            if isinstance(a, TensorSignature) and isinstance(b, TensorSignature):
                return TensorSignature(
                    promoted(a, b), None if None in (a.shape, b.shape) else ("matmul", a.shape, b.shape), self.fresh()
                )
            return UNKNOWN
        if not isinstance(operator, _ARITHMETIC):
            return UNKNOWN
        if isinstance(a, Number) and isinstance(b, Number):
            floats = a.floating or b.floating or isinstance(operator, (cst.Divide, cst.Power))
            return Number(floating=floats)
        return self.arithmetic(a, b, isinstance(operator, cst.Divide))

    def arithmetic(self, a: Signature, b: Signature, division: bool = False) -> Signature:
        """What an elementwise operator makes of two values, one of which is a tensor; UNKNOWN of others."""
        if isinstance(a, TensorSignature) and isinstance(b, TensorSignature):
            dtype = promoted(a, b, self.strict)
            shape = broadcast(a, b, self.strict)
            noncontiguous = a.maybe_noncontiguous or b.maybe_noncontiguous
        else:
            tensor, number = (a, b) if isinstance(a, TensorSignature) else (b, a)
            if not isinstance(tensor, TensorSignature) or not isinstance(number, Number):
                return UNKNOWN
            shape, noncontiguous, dtype = tensor.shape, tensor.maybe_noncontiguous, tensor.dtype
            if not floating(dtype) and number.floating:
                dtype = DEFAULT_FLOAT
            elif dtype == "bool":
                dtype = "int64"
        if division and not floating(dtype):
            dtype = DEFAULT_FLOAT
        return TensorSignature(dtype, shape, self.fresh(), noncontiguous)

    def _comparison(self, node: cst.Comparison, env: Environment) -> Signature:
        result = self.infer(node.left, env)
        if len(node.comparisons) != 1:
            return UNKNOWN
        (target,) = node.comparisons
        other = self.infer(target.comparator, env)
        if isinstance(target.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)):
            return Number()
        merged = self.arithmetic(result, other)
        if isinstance(merged, TensorSignature):
            return TensorSignature("bool", merged.shape, merged.storages, merged.maybe_noncontiguous)
        return Number() if isinstance(result, Number) and isinstance(other, Number) else UNKNOWN

    def stable(self, nodes: Sequence[cst.CSTNode], env: Environment) -> bool:
        """Whether equal source of these arguments means equal values: they read nothing that changes."""
        found = names(nodes)
        return not (found.writes or found.reads & self.rebound) and all(
            not isinstance(env.get(n), TensorSignature) for n in found.reads
        )

    def _attribute(self, node: cst.Attribute, env: Environment) -> Signature:
        base = self.infer(node.value, env)
        name = node.attr.value
        if isinstance(base, TensorSignature):
            if name in PERMUTING:
                return TensorSignature(base.dtype, ("transposed", name, base.shape), base.storages, True)
            if name == "data":
                return base
            sizes = counted(base.shape)
            if name == "shape" and sizes is not None:
                return Items("tuple", tuple([amount(n) for n in sizes]))
            if name == "dtype" and base.dtype is not None:
                return Dtype(base.dtype)
            if name in ("shape", "device", "dtype", "layout"):
                return UNKNOWN
            return Number(size=None if sizes is None else len(sizes)) if name == "ndim" else UNKNOWN
        if isinstance(base, Items) and base.kind.startswith("torch.return_types.") and name in ("values", "indices"):
            return base.items[name == "indices"]
        code = dotted(node)
        if code.startswith("torch.") and code.count(".") == 1 and (named := spelled_dtype(name)) is not None:
            return Dtype(named)
        value = self.value(node)
        if code and value is not None:
            found = of_value(value, code, frozenset([code]), self.example_sizes)
            if isinstance(found, TensorSignature) and found.shape != SCALAR:
                shape = AttributeShape(code, counted(found.shape))
                return TensorSignature(found.dtype, shape, found.storages, False, found.observed)
            if found != UNKNOWN:
                return found
        if code.rpartition(".")[0] in _NAMESPACES and code.partition(".")[0] not in env:
            return Other(code)
        return Other(code) if code.removeprefix("self.") in self.submodules.methods and "." in code else UNKNOWN

    def _call(self, node: cst.Call, env: Environment) -> Signature:
        module = self.module(node.func)
        if module is not None:
            return self.calls_known.layer(module, node, env)
        if any(arg.star for arg in node.args):
            made = isinstance(node.func, cst.Attribute) and operator(node.func.attr.value).fresh
            return TensorSignature(None, None, self.fresh()) if made else UNKNOWN
        if isinstance(node.func, cst.Attribute):
            namespace = dotted(node.func.value)
            if namespace in _NAMESPACES and namespace.split(".")[0] not in env:
                if node.func.attr.value == "cond":
                    return self.calls_known.conditional(node, env)
                return self.torch_calls.function(node.func.attr.value, list(node.args), node, env)
            receiver = self.infer(node.func.value, env)
            if isinstance(receiver, TensorSignature):
                return self.torch_calls.function(
                    node.func.attr.value, [cst.Arg(node.func.value), *node.args], node, env, receiver
                )
            own = self.submodules.methods.get(node.func.attr.value) if namespace == "self" else None
            if own is not None:
                return self.calls_known.called(own, parameters(own)[1:], node, env, {})
        if isinstance(node.func, cst.Name):
            local = self.functions.get(node.func.value)
            if local is not None:
                return self.calls_known.called(local, parameters(local), node, env, env)
            made = env.get(node.func.value)
            if isinstance(made, Other) and "." in made.code and made.code[0] not in "\"'":
                # A function of torch's or a method of the module, under a name.
                return self._call(node.with_changes(func=cst.parse_expression(made.code)), env)
            if node.func.value in ("int", "len", "float", "bool", "round", "abs", "min", "max", "sum"):
                arguments = [self.infer(a.value, env) for a in node.args]
                if node.func.value in ("int", "len", "float", "bool") or all(isinstance(a, Number) for a in arguments):
                    return Number(floating=node.func.value == "float")
                if node.func.value == "abs" and isinstance(arguments[0], TensorSignature):
                    return self.torch_calls.function("abs", list(node.args), node, env)
            if node.func.value not in env and self.submodules.imported_from_torch(node.func.value):
                return self.torch_calls.function(node.func.value, list(node.args), node, env)
            if node.func.value not in env and node.func.value in self.globals:
                free = self.globals[node.func.value]
                return self.calls_known.called(free, parameters(free), node, env, {})
        return UNKNOWN


def _anyhow(signature: Signature) -> Signature:
    """The same tensors, of whose strides nothing is known."""
    if isinstance(signature, Items):
        return Items(signature.kind, tuple([_anyhow(item) for item in signature.items]))
    if isinstance(signature, TensorSignature):
        return TensorSignature(signature.dtype, signature.shape, signature.storages, True, signature.observed)
    return signature
