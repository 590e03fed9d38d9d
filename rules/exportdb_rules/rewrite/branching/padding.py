"""A guard around padding that pads by nothing where the guard does not hold: the padding without the guard.

`if pad > 0: x = F.pad(x, (0, pad))` asks something of a size that is dynamic, or data-dependent, which export has to decide
while it traces. `F.pad` by 0 gives the same elements, in eager as in the graph, and asks nothing (measured on torch 2.13: the
modes `constant`, `reflect` and `replicate`; `circular` does not export).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.needless import heading
from exportdb_rules.rewrite.branching.selection import Selection, method_of, only_statement
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate, shared
from exportdb_rules.rewrite.known.liveness import code_after
from exportdb_rules.rewrite.known.mutation import copy_is_observable, is_unaliased
from exportdb_rules.rewrite.known.signature import TensorSignature
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import integer, replace_all, statements

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Remove the guard (padding by 0 changes nothing)"
_MODES: Final = ("'constant'", "'reflect'", "'replicate'")


def drop_padding_guard(context: FixContext) -> tuple[Fix, ...]:
    """The fix for an `if` around padding, where it holds just if there is something to pad; () for any other."""
    try:
        place = locate(context)
        return shared(place, place.branch(), "padding", lambda: _fix(place))
    except FixNotApplicable:
        return ()


def _fix(place: FixSite) -> tuple[Fix, ...]:
    node = place.branch()
    only = only_statement(statements(node.body)) if isinstance(node, cst.If) and node.orelse is None else None
    parent = place.upto(node)[-2]
    if not isinstance(node, cst.If) or not isinstance(only, cst.Assign) or not isinstance(parent, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than padding")
    padding = _padding(place, only)
    amounts = {place.tree.code(amount): amount for amount in padding.amounts if integer(amount) != 0}
    swaps = _unguarded(place, node.test, amounts)
    _refuse_alias(place, node, padding.target)
    line = replace_all(
        statements(node.body)[0], [(amount, swaps[place.tree.code(amount)]) for amount in amounts.values()]
    )
    lead = [*node.leading_lines, *heading(node), *getattr(line, "leading_lines", ())]
    body = [line.with_changes(leading_lines=lead) if one is node else one for one in parent.body]
    edits = validated_edits(place, replaced(place.tree, parent, parent.with_changes(body=body)))
    return (Fix(TITLE, Applicability.SAFE, edits, preferred=True),) if edits else ()


@dataclass(frozen=True)
class _Padding:
    """`target = F.pad(target, amounts)`."""

    target: cst.Name
    amounts: tuple[cst.BaseExpression, ...]


def _padding(place: FixSite, assign: cst.Assign) -> _Padding:
    target = assign.targets[0].target
    method = method_of(place, assign.value)
    if len(assign.targets) != 1 or not isinstance(target, cst.Name) or method is None or method[0] != "pad":
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than padding")
    _, padded, rest = method
    amounts = rest.get(0, "pad")
    mode = rest.get(1, "mode")
    plain = not padded.deep_equals(target) or not isinstance(amounts, (cst.Tuple, cst.List))
    if plain or (mode is not None and place.tree.code(mode).replace('"', "'") not in _MODES):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than padding")
    assert isinstance(amounts, (cst.Tuple, cst.List))
    if any(not isinstance(element, cst.Element) for element in amounts.elements):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the amounts are not written out")
    return _Padding(target, tuple([element.value for element in amounts.elements]))


def _unguarded(
    place: FixSite, test: cst.BaseExpression, amounts: dict[str, cst.BaseExpression]
) -> dict[str, cst.BaseExpression]:
    """What is to be padded by, on every call, for each amount.

    Raises:
        FixNotApplicable: the condition says something else than that one of them is not 0.
    """
    asked = [_asked(place, part) for part in _parts(test)]
    positive = {code: above for code, above in asked if code}
    if len(positive) != len(asked) or positive.keys() != amounts.keys():
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition asks something else")
    selection = Selection(place, place.upto(place.branch()))
    found: dict[str, cst.BaseExpression] = {}
    for code, amount in amounts.items():
        # Where it may be negative the guard leaves it out, alone and together with others.
        if not positive[code] or _is_remainder(selection, amount):
            found[code] = amount
        elif len(amounts) == 1:
            found[code] = cst.parse_expression(f"max({code}, 0)")
        else:
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, f"{code} may be negative")
    return found


def _parts(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The conditions one of which must hold."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return [*_parts(test.left), *_parts(test.right)]
    return [test]


def _asked(place: FixSite, test: cst.BaseExpression) -> tuple[str, bool]:
    """The code of the amount that a condition asks whether it is not 0, and whether it has to be above that; '' if none."""
    if not isinstance(test, cst.Comparison):
        return place.tree.code(test), False
    operator, left, right = test.comparisons[0].operator, test.left, test.comparisons[0].comparator
    if len(test.comparisons) > 1:
        return "", False
    if isinstance(operator, (cst.LessThan, cst.LessThanEqual)):
        left, right = right, left
    above = isinstance(operator, (cst.GreaterThan, cst.LessThan))
    least = isinstance(operator, (cst.GreaterThanEqual, cst.LessThanEqual))
    if integer(right) == int(least) and (above or least or isinstance(operator, cst.NotEqual)):
        return place.tree.code(left), above or least
    # `n < 16` before padding by `16 - n`.
    return (f"{place.tree.code(left)} - {place.tree.code(right)}", True) if above else ("", False)


def _is_remainder(selection: Selection, amount: cst.BaseExpression) -> bool:
    """Whether an amount is `… % n`, which is not negative where `n` is a number of elements."""
    while isinstance(amount, cst.Name) and (given := selection.defined(amount)) is not None:
        amount = given
    return isinstance(amount, cst.BinaryOperation) and isinstance(amount.operator, cst.Modulo)


def _refuse_alias(place: FixSite, node: cst.If, target: cst.Name) -> None:
    """Raises FixNotApplicable where somebody would see that the tensor is a copy where there is nothing to pad."""
    path = place.upto(node)
    env = place.inference.before(path)
    known = env.get(target.value)
    if not isinstance(known, TensorSignature):
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, f"{target.value} may be no tensor")
    own = is_unaliased(target.value, env, [place.function.body])
    if not own and copy_is_observable(target.value, known.storages, env, code_after(path, place.function)):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "the tensor may be seen elsewhere")
