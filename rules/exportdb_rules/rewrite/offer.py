"""From a rewrite to the fix that is offered: what most fixes do alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.rewrite.finished import finished
from exportdb_rules.rewrite.place import Place, locate
from exportdb_rules.rewrite.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.finding import Edit
    from exportdb_rules.rewrite.context import FixContext


def offered(
    context: FixContext,
    title: str | Callable[[Place], str],
    applicability: Applicability | Callable[[Place], Applicability],
    rewrite: Callable[[Place], Iterable[Edit]],
    where: Callable[[FixContext], Place] = locate,
    *,
    any_types: bool = False,
    arrays: bool = False,
    dtypes: bool = False,
) -> tuple[Fix, ...]:
    """The preferred fix that makes the edits of `rewrite` at the place that `where` finds; () where one of them refuses,
    or the text would not parse after. Title and applicability may depend on the place; `any_types`, `arrays`, `dtypes`: see `Fix`."""
    try:
        place = where(context)
        edits = finished(place, tuple(rewrite(place)))
        named = title if isinstance(title, str) else title(place)
        known = applicability if isinstance(applicability, Applicability) else applicability(place)
    except Refused:
        return ()
    if not edits:
        return ()
    return (Fix(named, known, edits, preferred=True, any_types=any_types, arrays=arrays, dtypes=dtypes),)
