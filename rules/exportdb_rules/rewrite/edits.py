"""Edits of a text: from positions to offsets, applied together or not at all. Pure; knows nothing of Python."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from exportdb_rules.finding import Edit, Position, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

# The line ends that Python's tokenizer knows. `str.splitlines` also breaks at form feeds and Unicode separators,
# which would put every later row out of step with `ast` and libcst.
_LINE_END = re.compile(r"\r\n|\r|\n")


class EditError(ValueError):
    """Edits that cannot be applied: they overlap, or reach outside the text."""


class TextOffsets:
    """The starts and ends of the lines of a text, to turn positions into offsets."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        self._ends: list[int] = []
        for match in _LINE_END.finditer(text):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(text))

    def offset(self, position: Position) -> int:
        """The index into the text of a position.

        A position one row below the last line, in column 1, is the end of the text. Raises EditError for a
        position that is not in the text.
        """
        row = position.row - 1
        if row == len(self._starts) and position.column == 1:
            return len(self.text)
        if not 0 <= row < len(self._starts):
            raise EditError(f"row {position.row} is outside a text of {len(self._starts)} lines")
        offset = self._starts[row] + position.column - 1
        if not self._starts[row] <= offset <= self._ends[row]:
            raise EditError(f"column {position.column} is outside row {position.row}")
        return offset

    @property
    def count(self) -> int:
        """How many lines there are; the last one may be empty."""
        return len(self._starts)

    def start(self, row: int) -> int:
        """The index into the text of the beginning of a row (counted from 1); its end of a row behind the last one."""
        return self._starts[row - 1] if row <= len(self._starts) else len(self.text)

    def line(self, row: int) -> str:
        """The text of a row (counted from 1) without its line end."""
        return self.text[self._starts[row - 1] : self._ends[row - 1]]

    def slice(self, span: Span) -> str:
        """The text of a span."""
        return self.text[self.offset(span.start) : self.offset(span.end)]


@lru_cache(maxsize=8)
def lines_of(text: str) -> TextOffsets:
    """The lines of a text; read once for all that is asked of it."""
    return TextOffsets(text)


def overlap(edits: Iterable[Edit]) -> bool:
    """Whether any two of the edits touch the same text. Two insertions at one place do: their order is unknown.

    An insertion at the border of a replacement does not.
    """
    ordered = sorted(edits, key=lambda e: e.span)
    for first, second in itertools.pairwise(ordered):
        if second.span.start < first.span.end or first.span == second.span:
            return True
    return False


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made, each of whose spans speaks of the text as it was before any of them.

    Raises EditError if two edits overlap or one reaches outside the text; the text is then unchanged.
    """
    edits = list(edits)
    if overlap(edits):
        raise EditError("the edits overlap")
    lines = lines_of(text)
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda e: e.span):
        start, end = lines.offset(edit.span.start), lines.offset(edit.span.end)
        if end < start:
            raise EditError("an edit ends before it starts")
        parts += [text[done:start], edit.content]
        done = end
    parts.append(text[done:])
    return "".join(parts)


def apply_from(text: str, row: int, end: int, edits: Iterable[Edit]) -> str:
    """What stands between the beginning of a row and an offset of a text, after edits that lie there.

    Raises EditError as `apply` does.
    """
    moved = [
        Edit(Span(*(Position(p.row - row + 1, p.column) for p in (e.span.start, e.span.end))), e.content) for e in edits
    ]
    return apply(text[lines_of(text).start(row) : end], moved)


def compatible(groups: Iterable[tuple[Edit, ...]]) -> list[int]:
    """The indices of the groups of edits that can be applied together: in order, each that overlaps no earlier one.

    A group (one fix) is taken whole or not at all. An edit that an accepted group makes too (the same `import
    torch`, say) is no conflict: it is made once, see `merged`.
    """
    accepted: list[Edit] = []
    chosen: list[int] = []
    for index, group in enumerate(groups):
        fresh = [edit for edit in group if edit not in accepted]
        if not overlap([*accepted, *fresh]):
            accepted += fresh
            chosen.append(index)
    return chosen


def merged(groups: Iterable[tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """All edits of the groups in the order of the text, each once."""
    unique = {edit: None for group in groups for edit in group}
    return tuple(sorted(unique, key=lambda e: e.span))
