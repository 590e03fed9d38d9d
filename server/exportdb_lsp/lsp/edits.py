"""Edits of the analyser as edits of the client's documents."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import takewhile
from typing import TYPE_CHECKING

from exportdb_rules.finding import START, Edit, Position, Span
from lsprotocol import types

from exportdb_lsp.files.rewriting import dominant_newline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_lsp.lsp.client import Client
    from exportdb_lsp.lsp.documents import Snapshot


def workspace_edit(snapshot: Snapshot, edits: Iterable[Edit], client: Client) -> types.WorkspaceEdit:
    """Edits of one snapshot, tied to its version where the client can tell versions apart."""
    newline = dominant_newline(snapshot.text)
    by_part: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        location = snapshot.locate(edit.span)
        content = edit.content.replace("\r\n", "\n").replace("\n", newline)
        by_part.setdefault(location.uri, []).append(types.TextEdit(location.range, content))
    if not client.versioned_edits:
        return types.WorkspaceEdit(changes=dict(by_part))
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for uri, found in by_part.items():
        part = snapshot.part_of(uri)
        version = part.version if part is not None else None
        changes.append(types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(found)))
    return types.WorkspaceEdit(document_changes=changes)


def difference(before: Snapshot, after: str) -> list[Edit]:
    """The lines that differ between a snapshot and another text of the same parts, as an edit for each stretch of them.

    Nothing, of a notebook, where the client cannot be given all of them: see `Snapshot.takes`.
    """
    old = [before.lines.line(i) for i in range(len(before.lines))]
    new = after.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    limit = min(len(old), len(new)) - head
    pairs = zip(reversed(old), reversed(new), strict=False)
    tail = min(sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)), limit)
    # What is compared in earnest is what lies between the first and the last difference.
    between = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    edits = [
        _stretch(old, head + first, head + last, new[head + start : head + end])
        for what, first, last, start, end in between.get_opcodes()
        if what != "equal"
    ]
    return edits if before.takes(edits) else []


def _stretch(old: list[str], first: int, last: int, replaced: list[str]) -> Edit:
    """The lines from `first` up to `last` (from 0, without it) replaced by others, as an edit."""
    if first == last:
        if first < len(old):
            place = Position(first + 1, 1)
            return Edit(Span(place, place), "".join(line + "\n" for line in replaced))
        place = Position(len(old), len(old[-1]) + 1)
        return Edit(Span(place, place), "".join("\n" + line for line in replaced))
    span = Span(Position(first + 1, 1), Position(last, len(old[last - 1]) + 1))
    if replaced:
        return Edit(span, "\n".join(replaced))
    # Whole lines go: with the line end behind them, or before them at the end of the text.
    if last < len(old):
        return Edit(Span(span.start, Position(last + 1, 1)), "")
    start = Position(first, len(old[first - 1]) + 1) if first else START
    return Edit(Span(start, span.end), "")
