"""Lines that are there for what they do around the model, kept out of the export.

Measured on torch 2.13: strict export refuses such calls (`gc.collect()`, `t.retain_grad()`, `layer.requires_grad_(False)`),
and traces past them under `if not torch.compiler.is_exporting():`. What the model computes is the same without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.interface.eager_only import TITLE, exporting
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

# What a generator draws next is of the model; a seed, and a shuffled list, are so too.
_OF_THE_MODEL: Final = ("random.", "torch.cuda.manual_seed", "torch.random.")


def effect_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """A line that is nothing but the call of the finding, under `if not torch.compiler.is_exporting():`.

    `safe`: eager does as before.
    """

    def guarded(place: FixSite) -> Iterable[Edit]:
        line = place.statement()
        call = place.call()
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if call is None or not isinstance(small, cst.Expr) or small.value is not call or line is None:
            raise FixNotApplicable(NoFix.SHARED_LINE, "the line is more than the call")
        changed = side_effects(call.args)
        if dotted(call.func).startswith(_OF_THE_MODEL) or changed.names or changed.unsupported:
            raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the model would behave differently")
        guard = cst.parse_expression(f"not {exporting(place, context)}")
        inside = cst.IndentedBlock([line.with_changes(leading_lines=[])])
        return replaced(place.tree, line, cst.If(guard, inside, leading_lines=line.leading_lines))

    return make_fix(context, TITLE, Applicability.SAFE, guarded, any_types=True)
