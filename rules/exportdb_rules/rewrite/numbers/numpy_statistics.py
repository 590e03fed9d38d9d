"""Quantiles and the like of numpy, as torch computes them: the same result, dtype included.

Of floats numpy gives their own dtype, and float64 for several quantiles at once; of integers it computes in float64
(measured with numpy 2.4). Both interpolate between neighbours, unless they are told otherwise.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.numbers import numpy_table as table
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, dotted

NAMES: Final = frozenset(("median", "quantile", "percentile", "ptp", "average", "count_nonzero"))


def statistic(
    tree: Tree,
    torch: str,
    name: str,
    array: tuple[str, str],
    args: list[cst.BaseExpression],
    named: dict[str, cst.BaseExpression],
) -> tuple[str, str]:
    """The code and the kind of a statistic of an array, whose code and kind are given.

    Raises:
        FixNotApplicable: it has no equal in torch.
    """
    named = dict(named)
    given = list(args)
    text, kind = array
    q = None
    if name in ("quantile", "percentile"):
        q = named.pop("q", None) or (given.pop(0) if given else None)
        if q is None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no quantile is given")
    axis = named.pop("axis", None) or (given.pop(0) if given else None)
    keep = named.pop("keepdims", None)
    if named or given or (axis is not None and dotted(axis) == "None") or (keep is not None and axis is None):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
    if isinstance(axis, (cst.Tuple, cst.List)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "one axis only")
    along = "" if axis is None else f", dim={tree.code(axis)}"
    along += "" if keep is None else f", keepdim={tree.code(keep)}"
    if name == "count_nonzero":
        if keep is not None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
        return f"{torch}.count_nonzero({text}{along})", table.INTEGER
    if name == "ptp":
        if kind == table.BOOL:
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "numpy refuses it, too")
        most, least = ("amax", "amin") if along else ("max", "min")
        return f"({torch}.{most}({text}{along}) - {torch}.{least}({text}{along}))", kind
    several = isinstance(q, (cst.List, cst.Tuple))
    if kind != table.FLOAT or several:
        text = f"{parenthesised(text)}.to({torch}.float64)"
    if name == "average":
        return f"{torch}.mean({text}{along})", table.FLOAT
    asked = "0.5" if q is None else _asked(tree, torch, q, array[0], several=several)
    if name == "percentile":
        asked = f"{parenthesised(asked)} / 100"
    return f"{torch}.quantile({text}, {asked}{along})", table.FLOAT


def _asked(tree: Tree, torch: str, q: cst.BaseExpression, text: str, *, several: bool) -> str:
    """The quantiles that are asked for: a number, or a tensor of several."""
    if not several:
        if not isinstance(q, (cst.Integer, cst.Float)) and not dotted(q):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "a quantile that is computed")
        return tree.code(q)
    return f"{torch}.tensor({tree.code(q)}, dtype={torch}.float64, device={parenthesised(text)}.device)"
