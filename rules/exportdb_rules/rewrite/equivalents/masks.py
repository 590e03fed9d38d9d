"""`is_causal=False` for a transformer of torch.nn, which otherwise compares its mask with a causal one.

Measured on torch 2.13, in both modes and in eager, over `TransformerEncoder`, `TransformerDecoder` and `Transformer`: the
mask is applied either way, so that the result is the same; `is_causal` chooses the kernel alone. Source:
`torch/nn/modules/transformer.py`, `_detect_is_causal_mask`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import with_keyword

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite


def causality_said(context: FixContext) -> tuple[Fix, ...]:
    """The keyword that says whether a mask is causal: `unsafe`, another kernel may differ in the last digits."""
    keyword = context.finding.case.replace("mask_", "")

    def said(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        if call is None or any(a.star or (a.keyword is not None and a.keyword.value == keyword) for a in call.args):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call")
        return replaced(place.tree, call, with_keyword(call, keyword, "False"))

    return make_fix(context, f"Pass {keyword}=False", Applicability.UNSAFE, said)
