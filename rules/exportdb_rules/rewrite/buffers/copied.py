"""A buffer that is given a tensor which was there before: a copy of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Store a copy in the buffer"


def copy_into_buffer(context: FixContext) -> tuple[Fix, ...]:
    """`self.last = x` as `self.last = x.clone()`.

    `unsafe`: in eager, a later write to the one was seen in the other.
    """

    def copied(place: FixSite) -> Iterable[Edit]:
        line = place.statement()
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if not isinstance(small, cst.Assign) or len(small.targets) != 1 or small.targets[0].target is not place.node:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is not all that the line assigns")
        given = small.value
        if not dotted(given.value if isinstance(given, cst.Subscript) else given):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "one of several is assigned")
        return replaced(place.tree, given, cst.Call(cst.Attribute(given, cst.Name("clone"))))

    return make_fix(context, TITLE, Applicability.UNSAFE, copied)
