"""`.data` as what it is used for: `.detach()` to read, `torch.no_grad()` to write."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.branching.condition import wrapped
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.interface.under_export import refuse_gradients
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import arguments, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

_MAKING = frozenset(
    "arange empty eye full linspace ones rand randint randn randperm tensor zeros FloatTensor LongTensor Tensor".split()
)
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


def variable_to_detach(context: FixContext) -> tuple[Fix, ...]:
    """`Variable(t)` as `t.detach()`, which is what it has been since torch 0.4; with `.requires_grad_()` where it says so.

    `safe`: the result shares the storage of `t` and has no history. What was made to be wrapped needs no `.detach()`.
    """

    def detached(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        given = (arguments(call.args).by_name("data", "requires_grad") if call is not None else None) or {}
        data = given.pop("data", None)
        if call is None or data is None or any(arg.star for arg in call.args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call")
        if not given.keys() <= {"requires_grad"}:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
        learned = given.get("requires_grad")
        wanted = data.value if isinstance(data, cst.Attribute) and data.attr.value == "data" else data
        code = wrapped(wanted, place.tree.code(wanted))
        if learned is not None and dotted(learned) != "False":
            refuse_gradients(place)
            flag = "" if dotted(learned) == "True" else place.tree.code(learned)
            code = f"{code}.detach().requires_grad_({flag})"
        elif not _is_made(wanted):
            code = f"{code}.detach()"
        return (place.tree.edit(call, code),)

    return make_fix(
        context,
        "Replace `Variable` with `.detach()`",
        Applicability.SAFE,
        detached,
        partial(locate, anywhere=True),
        any_types=True,
    )


def _is_made(node: cst.BaseExpression) -> bool:
    """Whether an expression makes a tensor out of no other: `torch.zeros(n)`."""
    if not isinstance(node, cst.Call) or any(
        arg.star or (arg.keyword and arg.keyword.value == "requires_grad") for arg in node.args
    ):
        return False
    owner, _, name = dotted(node.func).rpartition(".")
    return owner == "torch" and name in _MAKING


def saved_variables_to_tensors(context: FixContext) -> tuple[Fix, ...]:
    """`ctx.saved_variables` as `ctx.saved_tensors`, its name since torch 0.4. `safe`: they are the same."""

    def named(place: FixSite) -> Iterable[Edit]:
        if not isinstance(place.node, cst.Attribute):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an attribute")
        return (place.tree.edit(place.node.attr, "saved_tensors"),)

    return make_fix(
        context, "Replace `saved_variables` with `saved_tensors`", Applicability.SAFE, named, any_types=True
    )


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
