"""Operators that export cannot trace, as what computes the same: `linalg.lstsq`, `_shape_as_tensor`.

Measured on torch 2.13, in both modes: `pinv(a) @ b` solves what `lstsq` solves, of all solutions the smallest one too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.equivalents.tensor_call import TensorCall, computed, within
from exportdb_rules.rewrite.fix_site import FixSite
from exportdb_rules.rewrite.known.signature import TensorSignature, numeric
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import index_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Replace `lstsq` with its formula"
TITLE_OF_SHAPE: Final = "Replace the call with `torch.tensor` of the shape"


def lstsq_to_pinv(context: FixContext) -> tuple[Fix, ...]:
    """The solution of a least-squares problem, by the pseudoinverse. `unsafe`: the last digits may differ."""
    return make_fix(context, TITLE, Applicability.UNSAFE, _least_squares)


def _least_squares(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place)
    call.refuse_more(1, "B", "driver")
    right = call.argument(0, "B")
    if call.tensor is None or right is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    solution = (isinstance(call.parent, cst.Attribute) and call.parent.attr.value == "solution") or (
        isinstance(call.parent, cst.Subscript) and index_of(call.parent) == 0
    )
    if not solution:
        raise FixNotApplicable(NoFix.RESULT_USED, "more than the solution is used")
    left, known = call.known(call.tensor), call.known(right)
    ranks = [numeric(s.shape) if isinstance(s, TensorSignature) else None for s in (left, known)]
    if ranks[0] is None or ranks[1] is None or (len(ranks[0]) != 2 and len(ranks[0]) != len(ranks[1])):
        # A batch of vectors looks like a matrix.
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "whether these are vectors or matrices is not known")
    matrix, vector = place.tree.code(call.tensor), parenthesised(place.tree.code(right))
    code = f"{place.torch}.linalg.pinv({matrix}) @ {vector}"
    return computed(call, call.parent, within(call.above, code))


def shape_as_tensor_to_tensor(context: FixContext) -> tuple[Fix, ...]:
    """`torch._shape_as_tensor(x)` as `torch.tensor(x.shape)`: both are of int64, on the CPU."""
    return make_fix(context, TITLE_OF_SHAPE, Applicability.SAFE, _shape)


def _shape(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place)
    call.refuse_more(0)
    if call.tensor is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    return computed(call, call.node, f"{place.torch}.tensor({parenthesised(place.tree.code(call.tensor))}.shape)")
