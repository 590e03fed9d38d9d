"""`.data` as what it is used for: `.detach()` to read, `torch.no_grad()` to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix, Span
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

# Attributes of the tensor itself: the same with and without `.data`, and never written through.
_PLAIN = frozenset(("shape", "dtype", "device", "ndim", "layout", "is_cuda", "itemsize", "nbytes"))


def data_to_detach(context: FixContext) -> tuple[Fix, ...]:
    """Replace a read of `x.data` by `x.detach()`; () for an assignment to it.

    Both are tensors without history that share x's storage. They differ where the storage is then changed in place:
    `.detach()` counts the change as one of x's own, so a backward pass that needed the old values raises instead of
    computing wrong gradients. A mere read by what keeps nothing for it is therefore `safe`, anything else `unsafe`.
    """
    try:
        place = locate(context)
    except FixNotApplicable:
        return ()
    node = place.node
    if not isinstance(node, cst.Attribute) or node.attr.value != "data":
        return ()
    if _written(place):
        return ()
    span = place.tree.span(node)
    attribute = place.tree.span(node.attr)
    if span is None or attribute is None:
        return ()
    before = lines_of(context.text).slice(Span(span.start, attribute.start))
    edit = Edit(span, f"{before}detach()")
    safe = Applicability.SAFE if _only_read(place) else Applicability.UNSAFE
    return (Fix("Replace `.data` with `.detach()`", safe, (edit,), preferred=True),)


def _written(place: FixSite) -> bool:
    """Whether the attribute itself is a target: `x.data = …`, `x.data += …`, `del x.data`."""
    parent, node = place.path[-2], place.path[-1]
    if isinstance(parent, (cst.AssignTarget, cst.Del, cst.NamedExpr)):
        return parent.target is node
    if isinstance(parent, (cst.AugAssign, cst.AnnAssign)):
        return parent.target is node
    return isinstance(parent, cst.Element) and any(isinstance(n, cst.AssignTarget) for n in place.path)


def _only_read(place: FixSite) -> bool:
    """Whether the expression around it makes a new value at once, and keeps nothing of it for a backward pass: an operand
    of a sum, or of what has no gradient, or an attribute like `.shape`."""
    parent, node = place.path[-2], place.path[-1]
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
        return True
    if isinstance(parent, cst.UnaryOperation):
        return not isinstance(parent.operator, cst.Plus)
    if isinstance(parent, cst.BinaryOperation):
        other = parent.right if parent.left is node else parent.left
        return isinstance(parent.operator, (cst.Add, cst.Subtract)) or _is_literal(other)
    if isinstance(parent, cst.Attribute) and parent.value is node:
        if parent.attr.value in _PLAIN:
            return True
        above = place.path[-3]
        name = parent.attr.value
        called = isinstance(above, cst.Call) and above.func is parent and all(_is_literal(a.value) for a in above.args)
        return called and _fresh(name)
    return False


def _is_literal(node: cst.BaseExpression) -> bool:
    """Whether an expression is written out: a number, a text, a truth value, a tuple of these."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return all(_is_literal(element.value) for element in node.elements)
    if isinstance(node, cst.UnaryOperation):
        return _is_literal(node.expression)
    return isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)) or dotted(node) in ("True", "False", "None")


def _fresh(method: str) -> bool:
    return operator(method).fresh or method in ("item", "tolist", "size", "numel", "dim")
