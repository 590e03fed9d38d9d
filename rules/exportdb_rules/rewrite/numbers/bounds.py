"""The bound checks that a slice by a number from data needs on older versions of torch.

Measured in both modes: on torch 2.6, 2.7 and 2.9 `x[:n]` exports where `torch._check_is_size(n)` and
`torch._check(n <= x.shape[0])` stand before it, and on 2.6 and 2.7 it fails with either alone; `x[:, :n]` exports likewise,
but on 2.7 not where that dimension is dynamic; `x[n:]` fails with any. From 2.10 on nothing is needed, and there is no
finding to mend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branches import Builder
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, lines_before
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.numbers.indexing import numbers
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Assert the slice bounds with torch._check"


def slice_to_checked(context: FixContext) -> tuple[Fix, ...]:
    """`x[:n]` with the checks above it that tell export how much it takes.

    `unsafe`: Python clips a slice, and counts a negative bound from the end, where the checks raise.
    """
    try:
        place, bounds = numbers(context)
        edits = validated_edits(place, _edits(place, bounds))
    except FixNotApplicable:
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),) if edits else ()


def _edits(place: FixSite, bounds: list[cst.BaseExpression]) -> tuple[Edit, ...]:
    subscript = place.node
    if not isinstance(subscript, cst.Subscript) or not dotted(subscript.value) or len(bounds) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a slice of one bound")
    if isinstance(place.path[-2], (cst.AssignTarget, cst.AugAssign)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a slice that is written needs more")
    if any(isinstance(node, (cst.IfExp, cst.BooleanOperation)) for node in place.path):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the slice may not be taken at all")
    (bound,) = bounds
    dimension = _dimension(subscript, bound)
    if dimension and place.tree.mentions("dynamic_shapes"):
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the dimension may be dynamic")
    value = place.inference.value(bound)
    if value is None or not all(_whole(choice) for choice in lattice.choices(value)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a data-dependent integer")
    above: list[str] = []
    swaps: list[Edit] = []
    if isinstance(bound, cst.Name):
        name = bound.value
    else:
        span = place.tree.span(bound)
        if span is None or names(bound).writes:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the bound does more than to be read")
        name = Builder(place).name("size")
        above.append(f"{name} = {place.tree.code(bound)}")
        swaps.append(Edit(span, name))
    above.append(f"{place.torch}._check_is_size({name})")
    above.append(f"{place.torch}._check({name} <= {dotted(subscript.value)}.shape[{dimension}])")
    return tuple(sorted((lines_before(place, above), *swaps), key=lambda e: e.span))


def _whole(value: domain.Value) -> bool:
    # No slice takes a float, so that a number of unknown kind is an integer here.
    return isinstance(value, domain.Sym) and not value.backed and value.type in ("int", "number")


def _dimension(subscript: cst.Subscript, bound: cst.BaseExpression) -> int:
    """Which dimension a slice up to a bound is of."""
    for index, element in enumerate(subscript.slice):
        part = element.slice
        if not isinstance(part, cst.Slice) or part.step is not None:
            break
        if part.upper is bound:
            if part.lower is not None and not _zero(part.lower):
                break
            return index
        if part.lower is not None or part.upper is not None:
            break
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a slice from the beginning")


def _zero(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer) and node.value == "0"
