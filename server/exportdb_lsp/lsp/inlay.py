"""Inlay hints: the symbolic shapes that the last export gave to the names of a file. Off unless asked for."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exportdb_rules.finding import Position, Span
from lsprotocol import types

from exportdb_lsp.lsp.documents import uri_key
from exportdb_lsp.lsp.errors import content_modified
from exportdb_lsp.lsp.hover import traced_at

if TYPE_CHECKING:
    from exportdb_lsp.lsp.server import ExportServer


def register(server: ExportServer) -> None:
    """textDocument/inlayHint."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        await server.configured()
        if snapshot is None or not server.place(snapshot.filename).user.inlay_hints:
            return []
        if not server.current(snapshot):
            raise content_modified()
        asked = snapshot.span_of(uri, params.range)
        found: list[types.InlayHint] = []
        for traced in traced_at(server, snapshot.filename):
            if not asked.start.row <= traced.row <= asked.end.row or not traced.name:
                continue
            column = _end_of_name(snapshot.lines.line(traced.row - 1), traced.name)
            if column is None:
                continue
            place = Position(traced.row, column)
            location = snapshot.locate(Span(place, place))
            if uri_key(location.uri) == uri_key(uri):
                operators = ", ".join(traced.operators) or None
                label = f": {traced.dtype}{traced.shape}"
                kind = types.InlayHintKind.Type
                found.append(types.InlayHint(location.range.start, label, kind, tooltip=operators))
        return found


def _end_of_name(line: str, name: str) -> int | None:
    """The column (from 1) behind the name that a line assigns; None where it is not to be seen there."""
    match = re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", line)
    return match.end() + 1 if match is not None else None
