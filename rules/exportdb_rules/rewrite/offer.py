"""From a rewrite to the fix that is offered: what most fixes do alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.refusal import FixNotApplicable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.finding import Edit
    from exportdb_rules.rewrite.context import FixContext


def make_fix(
    context: FixContext,
    title: str | Callable[[FixSite], str],
    applicability: Applicability | Callable[[FixSite], Applicability],
    rewrite: Callable[[FixSite], Iterable[Edit]],
    where: Callable[[FixContext], FixSite] = locate,
    *,
    any_types: bool = False,
    arrays: bool = False,
) -> tuple[Fix, ...]:
    """The preferred fix that makes the edits of `rewrite` at the place that `where` finds; () where one of them refuses,
    or the text would not parse after. Title and applicability may depend on the place; `any_types`, `arrays`: see `Fix`."""
    try:
        place = where(context)
        edits = validated_edits(place, tuple(rewrite(place)))
        named = title if isinstance(title, str) else title(place)
        known = applicability if isinstance(applicability, Applicability) else applicability(place)
    except FixNotApplicable:
        return ()
    if not edits:
        return ()
    return (Fix(named, known, edits, preferred=True, any_types=any_types, arrays=arrays),)
