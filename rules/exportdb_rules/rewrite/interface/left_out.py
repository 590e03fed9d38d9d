"""Lines that are there for what they do around the model, kept out of the export.

Measured on torch 2.13: strict export refuses such calls (`gc.collect()`, `t.retain_grad()`, `layer.requires_grad_(False)`),
and traces past them under `if not torch.compiler.is_exporting():`. What the model computes is the same without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.interpreter.torch_library import CHECKPOINT_OPTIONS
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import wrapped
from exportdb_rules.rewrite.higher_order.operator_call import swapped
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

TITLE_OF_CHECKPOINT: Final = "Call the function itself under export"
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


def checkpoint_in_eager(context: FixContext) -> tuple[Fix, ...]:
    """`checkpoint(f, x, use_reentrant=False)` as `f(x)` under export, which has no backward pass to save memory for.

    `safe`: eager does as before.
    """

    def called(place: FixSite) -> Iterable[Edit]:
        call = place.call()
        if call is None or not call.args or call.args[0].star or call.args[0].keyword is not None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the function is not the first argument")
        function = call.args[0].value
        given = [arg for arg in call.args[1:] if arg.keyword is None or arg.keyword.value not in CHECKPOINT_OPTIONS]
        if any(arg.star == "**" for arg in given):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the options are not written out")
        codes = [place.tree.code(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for arg in given]
        direct = f"{wrapped(function, place.tree.code(function))}({', '.join(codes)})"
        test, line = exporting(place, context), place.statement()
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if not isinstance(small, (cst.Assign, cst.Return)) or small.value is not call:
            return (place.tree.edit(call, f"({direct} if {test} else {place.tree.code(call)})"),)
        assert isinstance(line, cst.SimpleStatementLine)
        bare = line.with_changes(leading_lines=[])
        value = small.with_changes(value=cst.parse_expression(direct))
        inner = cst.IndentedBlock([cst.SimpleStatementLine([value])])
        after = None if isinstance(small, cst.Return) else cst.Else(cst.IndentedBlock([bare]))
        branch = cst.If(cst.parse_expression(test), inner, after, leading_lines=line.leading_lines)
        return swapped(place, [(line, branch if after else cst.FlattenSentinel([branch, bare]))])

    return make_fix(context, TITLE_OF_CHECKPOINT, Applicability.SAFE, called, any_types=True)
