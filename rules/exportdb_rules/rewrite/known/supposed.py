"""What the interpreter would say of an expression that the text does not have, given what is known of its parts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    SCALAR,
    UNKNOWN,
    Dtype,
    Items,
    Other,
    Signature,
    TensorSignature,
    numeric,
    sized,
)
from exportdb_rules.rewrite.tree import dotted, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.known.expressions import Environment
    from exportdb_rules.rewrite.known.inference import Inference
    from exportdb_rules.rewrite.tree import Tree


class Supposed:
    """Expressions that a rewrite made, or whose names it gave other values."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    def value(self, node: cst.BaseExpression, env: Environment) -> domain.Value:
        """The value of an operator, a call, a subscript or an attribute of parts that are known."""
        operands = _Operands(self._inference, env)
        try:
            code = self._inference.tree.code(operands.replaced(node))
            tree = ast.parse(f"({code})", mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return domain.TOP
        return self._inference.context.suppose(tree, operands.names)


class _Operands:
    """The parts of an expression under names of their own, and what these stand for."""

    def __init__(self, inference: Inference, env: Environment) -> None:
        self._inference = inference
        self._env = env
        self.names: dict[str, domain.Value] = {}
        given = parameters(inference.function)
        if inference.owner is not None and given and (this := inference.value(given[0].name)) is not None:
            self.names[given[0].name.value] = this

    def _name(self, node: cst.BaseExpression) -> cst.BaseExpression:
        if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)) or dotted(node) in ("True", "False", "None"):
            return node
        value = self._inference.value(node)
        known = self._inference.infer(node, self._env)
        if isinstance(known, (TensorSignature, Items, Dtype)) or value is None:
            value = to_value(known, value)
        if value is domain.TOP and dotted(node):
            return node
        return self._under_a_name(value)

    def _under_a_name(self, value: domain.Value) -> cst.Name:
        name = f"operand_{len(self.names)}"
        self.names[name] = value
        return cst.Name(name)

    def replaced(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression of names alone."""
        if isinstance(node, cst.BinaryOperation):
            return cst.BinaryOperation(self._name(node.left), node.operator, self._name(node.right))
        if isinstance(node, cst.UnaryOperation):
            return cst.UnaryOperation(node.operator, self._name(node.expression))
        if isinstance(node, cst.Comparison):
            links = [one.with_changes(comparator=self._name(one.comparator)) for one in node.comparisons]
            return cst.Comparison(self._name(node.left), links)
        if isinstance(node, cst.Attribute):
            return cst.Attribute(self._name(node.value), node.attr)
        if isinstance(node, cst.Subscript):
            parts = [one.with_changes(slice=self._index(one.slice)) for one in node.slice]
            return cst.Subscript(self._name(node.value), parts)
        if isinstance(node, cst.Call):
            func = self.replaced(node.func) if isinstance(node.func, cst.Attribute) else self._callee(node.func)
            return cst.Call(func, [arg.with_changes(value=self._name(arg.value)) for arg in node.args])
        return node

    def _callee(self, node: cst.BaseExpression) -> cst.BaseExpression:
        value = self._inference.value(node)
        return node if value is None else self._under_a_name(value)

    def _index(self, index: cst.BaseSlice) -> cst.BaseSlice:
        if isinstance(index, cst.Slice):
            ends = {
                end: None if (part := getattr(index, end)) is None else self._name(part)
                for end in ("lower", "upper", "step")
            }
            return index.with_changes(**ends)
        return index.with_changes(value=self._name(index.value)) if isinstance(index, cst.Index) else index


def to_value(known: Signature, value: domain.Value | None = None) -> domain.Value:
    """The value that a signature is of."""
    if isinstance(known, TensorSignature):
        return _tensor(known, value)
    if isinstance(known, Items):
        items = [to_value(item) for item in known.items]
        if known.kind.startswith("dict "):
            return lattice.Mapping(dict(zip(ast.literal_eval(known.kind.removeprefix("dict ")), items, strict=True)))
        return lattice.Sequence(known.kind if known.kind in ("tuple", "list") else "tuple", items)
    if isinstance(known, Dtype):
        return domain.External(f"torch.{'float32' if known.dtype == DEFAULT_FLOAT else known.dtype}")
    if isinstance(known, Other) and known.code == "None":
        return domain.NONE
    return domain.TOP


def _tensor(known: TensorSignature, value: domain.Value | None) -> domain.Tensor:
    base = known.value if isinstance(known.value, domain.Tensor) else value
    if not isinstance(base, domain.Tensor):
        base = domain.Tensor(domain.ANYWHERE, alias=True, moves=int(known.maybe_noncontiguous))
    base = base.changed(dtype="default" if known.dtype == DEFAULT_FLOAT else known.dtype)
    sizes = () if known.shape == SCALAR else numeric(known.shape)
    if sizes is None:
        return base.changed(shape=known.shape)
    if base.dims is None or len(base.dims) != len(sizes):
        dims = tuple([domain.Static("int", size) for size in sizes])
        base = base.changed(dims=dims, rank=len(dims), unbacked=False)
    return base.changed(shape=sized(sizes))


def item_of(base: Items, index: Sequence[cst.SubscriptElement], tree: Tree) -> Signature:
    """An element of a tuple, a list or a dict, or a slice of it."""
    if len(index) != 1:
        return UNKNOWN
    (element,) = index
    if base.kind.startswith("dict"):
        keys = dict_keys(base)
        code = tree.code(element.slice)
        return base.items[keys.index(code)] if code in keys else UNKNOWN
    if isinstance(element.slice, cst.Slice):
        start, stop = [None if end is None else signed(end) for end in (element.slice.lower, element.slice.upper)]
        unknown = (element.slice.lower, element.slice.upper).count(None) != (start, stop).count(None)
        return UNKNOWN if unknown or element.slice.step is not None else Items(base.kind, base.items[start:stop])
    at = signed(element.slice.value) if isinstance(element.slice, cst.Index) else None
    return base.items[at] if at is not None and -len(base.items) <= at < len(base.items) else UNKNOWN


def dict_keys(known: Items) -> list[str]:
    """The keys, as code, of what is a dict; none of a tuple or a list."""
    return ast.literal_eval(known.kind.removeprefix("dict ")) if known.kind.startswith("dict ") else []
