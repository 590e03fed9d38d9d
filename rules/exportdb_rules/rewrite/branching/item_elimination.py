"""A number from data that only tests and arithmetic with tensors ask for, as the tensor that it was read from.

`n = mask.sum().item()` becomes `n = mask.sum()`. A branch of torch.cond takes a tensor, and no number from data (measured on
torch 2.13, non-strict); what is computed with floating tensors comes out the same, as a tensor without dimensions promotes
nothing that a number would not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.predicate import single_value
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.higher_order.operator_call import place_of_call, swapped
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.known.signature import DEFAULT_FLOAT, SCALAR, Signature, TensorSignature, floating
from exportdb_rules.rewrite.looping.gradients import without_gradients
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, enclosing, occurrences, only_statement, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Keep the value as a tensor"

# A number that is read from one of these is computed with as a tensor of 32 bits is, to the last digits.
_PLAIN: Final = frozenset((DEFAULT_FLOAT, "float32", "float64"))
_LOGICAL: Final = (cst.BooleanOperation, cst.UnaryOperation)


def number_to_tensor(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a test of a number that was read from a tensor. `unsafe`: the name holds a tensor then."""
    return make_fix(context, TITLE, Applicability.UNSAFE, _kept)


def closed_number_to_tensor(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a number that was read from a tensor, and that a branch of `torch.cond` closes over."""
    span = context.finding.span
    name = lines_of(context.text).line(span.start.row)[span.start.column - 1 : span.end.column - 1]
    return make_fix(context, TITLE, Applicability.UNSAFE, lambda place: _closed(place, name), place_of_call)


def _closed(place: FixSite, name: str) -> Iterable[Edit]:
    found = _read(place, name, captured=True) if name.isidentifier() else None
    if found is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no number that is read from a tensor")
    return swapped(place, [(found[0], kept_tensor(place, *found))])


def _kept(place: FixSite) -> Iterable[Edit]:
    place.branch()
    asked = sorted(names(place.node).reads)
    for name in asked:
        value = single_value(place.function, name)
        asked += sorted(names(value).reads - {*asked}) if isinstance(value, cst.BinaryOperation) else []
    read = [(name, found) for name in asked if (found := _read(place, name)) is not None]
    if not read:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no number that is read from a tensor")
    return swapped(place, [_swap(place, name, call, receiver) for name, (call, receiver) in read])


def _swap(
    place: FixSite, name: str, call: cst.Call, receiver: cst.BaseExpression
) -> tuple[cst.CSTNode, cst.CSTNode | cst.FlattenSentinel[cst.BaseStatement]]:
    """What keeps the tensor: without its `.item()`, or without the line where that gives the tensor's own name to the number."""
    uses = [use for use in occurrences(place.function.body, name) if not isinstance(use[-2], cst.AssignTarget)]
    compared = all(isinstance(use[-2], (cst.Comparison, cst.ComparisonTarget)) for use in uses)
    kept = receiver if compared else kept_tensor(place, call, receiver)
    for line in below(place.function.body, cst.SimpleStatementLine):
        small = line.body[0] if len(line.body) == 1 else None
        if isinstance(small, cst.Assign) and small.value is call and dotted(kept) == name:
            if line.leading_lines or line.trailing_whitespace.comment is not None:
                raise FixNotApplicable(NoFix.SHARED_LINE, "the line that would go has a comment")
            return line, cst.FlattenSentinel[cst.BaseStatement]([])
    return call, kept


def kept_tensor(place: FixSite, call: cst.Call, receiver: cst.BaseExpression) -> cst.BaseExpression:
    """`t.detach()` of `t.item()`: no gradient flows through a number. `t` itself of integers, in a comparison, or where nothing
    has any."""
    known, span = in_its_line(place, call, receiver), place.tree.span(call)
    compared = span is not None and isinstance(place.tree.path(span)[-2], cst.Comparison)
    whole = isinstance(known, TensorSignature) and known.dtype is not None and not floating(known.dtype)
    if whole or compared or without_gradients(place) or not isinstance(call.func, cst.Attribute):
        return receiver
    return call.with_changes(func=call.func.with_changes(attr=cst.Name("detach")))


def _read(place: FixSite, name: str, *, captured: bool = False) -> tuple[cst.Call, cst.BaseExpression] | None:
    """The `.item()` that a name has its value from, and what it is called on; None where there is none. With `captured`
    inner functions may read the name.

    Raises:
        FixNotApplicable: a tensor would not do what the number does.
    """
    found: tuple[cst.Call, cst.BaseExpression] | None = None
    for statement in below(place.function.body, cst.BaseSmallStatement):
        bound = [t.target for t in statement.targets] if isinstance(statement, cst.Assign) else []
        if name not in {n.value for target in bound for n in targets(target)}:
            if name in names(statement).writes:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, f"{name} is bound in another way")
            continue
        if len(bound) != 1 or not isinstance(bound[0], cst.Name) or not isinstance(statement, cst.Assign):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, f"{name} is bound together with others")
        call = _item(statement.value)
        if call is None:
            if not isinstance(statement.value, (cst.Integer, cst.Float)):
                return None
            continue
        if found is not None:
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, f"{name} is read from several tensors")
        found = call
    own = found is not None and dotted(found[1]) == name and _first(place, name, found[0])
    if found is None or (not own and _bound_otherwise(place, name, captured=captured)):
        return None
    known = in_its_line(place, found[0], found[1])
    if not isinstance(known, TensorSignature) or known.shape != SCALAR or known.dtype is None:
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what the number is read from")
    for use in occurrences(place.function.body, name):
        if use[-1] is not found[1]:
            _refuse_use(place, use, known)
    return found


def _first(place: FixSite, name: str, call: cst.Call) -> bool:
    """Whether a parameter is read and bound by `name = name.item()`, a line of the function, before anything else has it."""
    if name not in {p.name.value for p in parameters(place.function)} or names(place.function.body).captured & {name}:
        return False
    for line in statements(place.function.body):
        if name not in names(line).reads | names(line).writes:
            continue
        small = only_statement([line])
        return isinstance(small, cst.Assign) and small.value is call
    return False


def in_its_line(place: FixSite, around: cst.CSTNode, node: cst.BaseExpression) -> Signature:
    """The signature of an expression where the line begins that `around`, which holds it, stands in.

    Raises:
        FixNotApplicable: it stands in no line.
    """
    span = place.tree.span(around)
    path = place.tree.path(span) if span is not None else ()
    line = enclosing(path, cst.SimpleStatementLine)
    if line < 0:
        raise FixNotApplicable(NoFix.SHARED_LINE, "not a line")
    return place.inference.infer(node, place.inference.before(path[: line + 1]))


def _item(value: cst.BaseExpression) -> tuple[cst.Call, cst.BaseExpression] | None:
    """`t.item()`, alone or compared with a number that is written out."""
    if isinstance(value, cst.Comparison) and len(value.comparisons) == 1:
        compared = value.comparisons[0].comparator
        return _item(value.left) if isinstance(compared, (cst.Integer, cst.Float)) else None
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute) and value.func.attr.value == "item":
        return value, value.func.value
    return None


def _bound_otherwise(place: FixSite, name: str, *, captured: bool) -> bool:
    """Whether a parameter, a loop or a `with` binds a name, or an inner function that may not reads it."""
    found = names(place.function.body)
    loops = [*below(place.function.body, cst.For), *below(place.function.body, cst.CompFor)]
    heads = [t for node in loops for t in targets(node.target)]
    heads += [t for node in below(place.function.body, cst.AsName) for t in targets(node.name)]
    given = {p.name.value for p in parameters(place.function)}
    return name in given | (set[str]() if captured else found.captured) | found.outer or name in {
        t.value for t in heads
    }


def _refuse_use(place: FixSite, path: tuple[cst.CSTNode, ...], known: TensorSignature) -> None:
    """Raises FixNotApplicable where a tensor would not do what the number does: in anything but a test and a floating tensor."""
    if isinstance(path[-2], cst.AssignTarget):
        return
    at = len(path) - 1
    while isinstance(path[at - 1], (*_LOGICAL, cst.Comparison, cst.ComparisonTarget)):
        at -= 1
        node = path[at]
        if isinstance(node, cst.Comparison) and (
            len(node.comparisons) != 1
            or any(isinstance(c.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)) for c in node.comparisons)
        ):
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "a comparison that a tensor answers otherwise")
        if isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is computed with")
    above = path[at - 1]
    if isinstance(above, (cst.If, cst.IfExp)) and above.test is path[at]:
        return
    if at != len(path) - 1:
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
    _refuse_arithmetic(place, path, known)


def _refuse_arithmetic(place: FixSite, path: tuple[cst.CSTNode, ...], known: TensorSignature) -> None:
    """Raises FixNotApplicable unless the last node of a path is an operand of a floating tensor, or of numbers of which a tensor
    of the same dtype comes, which is used no other way."""
    above = path[-2]
    if isinstance(above, cst.Assign) and above.value is path[-1] and isinstance(path[-1], cst.BinaryOperation):
        bound = [one.target for one in above.targets if isinstance(one.target, cst.Name)]
        if len(bound) != 1 or single_value(place.function, bound[0].value) is not path[-1]:
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is computed with")
        for use in occurrences(place.function.body, bound[0].value):
            _refuse_use(place, use, known)
        return
    compared = isinstance(above, (cst.Comparison, cst.ComparisonTarget)) and isinstance(path[-1], cst.BinaryOperation)
    if compared:
        _refuse_use(place, path, known)
        return
    if not isinstance(above, cst.BinaryOperation):
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
    other = above.right if above.left is path[-1] else above.left
    if not place.inference.is_tensor(other):
        exact = (cst.Add, cst.Subtract, cst.Multiply)
        if not isinstance(above.operator, (*exact, cst.Divide) if known.dtype in _PLAIN else exact) or (
            known.dtype not in (*_PLAIN, "int64") or not _is_number(place, other)
        ):
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is computed with")
        _refuse_arithmetic(place, path[:-1], known)
        return
    beside = in_its_line(place, above, other)
    if not isinstance(beside, TensorSignature) or beside.dtype is None or not floating(beside.dtype):
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "the number is computed with what it may promote")


def _is_number(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether an expression is a Python number, read from data or not: an integer beside integers."""
    kinds = place.inference.kinds(node)
    return bool(kinds) and all(
        (isinstance(kind, domain.Const) and type(kind.value) in (int, float))
        or (isinstance(kind, (domain.Static, domain.Sym)) and kind.type in ("int", "float", "number"))
        for kind in kinds
    )
