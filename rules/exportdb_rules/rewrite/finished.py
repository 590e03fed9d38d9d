"""The last step of every rewrite: the import that it needs, the assignments that it made dead, and the proof that the text
still parses and that the names which it brings in mean there what they mean elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.rewrite.imports import torch_import
from exportdb_rules.rewrite.known.dead import without_dead
from exportdb_rules.rewrite.known.scopes import hidden
from exportdb_rules.rewrite.layout import fitting_lines
from exportdb_rules.rewrite.outline import still_parses

if TYPE_CHECKING:
    from exportdb_rules.finding import Edit
    from exportdb_rules.rewrite.fix_site import FixSite


def validated_edits(place: FixSite, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits with the import of torch, if the module needs it, and without what they made dead; () if the text would
    not parse after, or a name of theirs would be another one."""
    if not edits:
        return ()
    every = tuple(sorted((*torch_import(place.tree), *without_dead(place, edits)), key=lambda e: e.span))
    every = fitting_lines(place.tree.text, every)
    return every if still_parses(place.tree.text, every) and not hidden(place.tree, every) else ()
