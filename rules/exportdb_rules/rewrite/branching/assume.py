"""A branch on a number from data, decided by an assumption: `torch._check` lets export take the side that it leaves.

Measured on torch 2.13, in both modes: after `torch._check(n > 3)` the test of `if n > 3:` and of `if n <= 3:` is known;
the check stays in the exported program, which raises where it does not hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, lines_above, locate
from exportdb_rules.rewrite.refusal import FixNotApplicable

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Assert {} with torch._check"

_OPPOSITE: Final = {"==": "", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def assumptions(context: FixContext) -> tuple[Fix, ...]:
    """The test of a branch as an assumption, and its contrary as another. Always `unsafe`, and for people to choose:
    what used to take the other side raises."""
    try:
        place = locate(context)
        branch = place.branch()
    except FixNotApplicable:
        return ()
    if not isinstance(branch, cst.If):
        return ()
    found: list[Fix] = []
    for holds in (True, False):
        try:
            conditions = _parts(place, branch.test, holds)
            checks = lines_above(place, branch, [f"{place.torch}._check({code})" for code in conditions])
        except FixNotApplicable:
            continue
        edits = validated_edits(place, (checks,))
        if edits:
            title = TITLE.format(f"`{' and '.join(conditions)}`")
            found.append(Fix(title, Applicability.UNSAFE, edits, optional=True))
    return tuple(found)


def _parts(place: FixSite, test: cst.BaseExpression, holds: bool) -> list[str]:
    """The conditions, all of numbers from data, that together say that a test holds, or that it does not."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _parts(place, test.expression, not holds)
    if isinstance(test, cst.BooleanOperation):
        if isinstance(test.operator, cst.And) is not holds:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "one of several conditions")
        return [*_parts(place, test.left, holds), *_parts(place, test.right, holds)]
    if not isinstance(test, cst.Comparison):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a comparison")
    (target, *more) = test.comparisons
    operator = place.tree.code(target.operator).strip()
    left, right = test.left, target.comparator
    operator = operator if holds else _OPPOSITE.get(operator, "")
    # Other conditions are checked as well, but what they leave of the symbol's range is no interval.
    if more or operator not in _OPPOSITE or not isinstance(left, cst.Name) or not isinstance(right, cst.Integer):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a comparison of a name with a number")
    value = place.inference.value(left)
    if value is None or not all(isinstance(c, domain.Sym) and not c.backed for c in lattice.choices(value)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a number from data")
    return [f"{left.value} {operator} {right.value}"]
