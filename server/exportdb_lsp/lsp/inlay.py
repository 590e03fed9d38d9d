"""Inlay hints: the symbolic shapes that the last export gave to the names of a file, and before one those that its code
says. Off unless asked for."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from exportdb_rules.finding import Position, Span
from lsprotocol import types

from exportdb_lsp.lsp.analysis import Superseded
from exportdb_lsp.lsp.documents import uri_key
from exportdb_lsp.lsp.errors import content_modified
from exportdb_lsp.lsp.hover import shapes_of, traced_at

if TYPE_CHECKING:
    from exportdb_lsp.confirm.result import Traced
    from exportdb_lsp.lsp.server import ExportServer


def register(server: ExportServer) -> None:
    """textDocument/inlayHint."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=True))
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
        exported = traced_at(server, snapshot.filename)
        try:
            known = () if exported else await shapes_of(server, snapshot)
        except Superseded:
            raise content_modified() from None
        for one in known:
            at = one.span.end
            location = snapshot.locate(Span(at, at))
            if one.bound and asked.start.row <= at.row <= asked.end.row and uri_key(location.uri) == uri_key(uri):
                found.append(types.InlayHint(location.range.start, f": {one.shape}", types.InlayHintKind.Type))
        for traced in exported:
            if not asked.start.row <= traced.row <= asked.end.row or not traced.name:
                continue
            column = _end_of_name(snapshot.lines.line(traced.row - 1), traced.name)
            if column is None:
                continue
            place = Position(traced.row, column)
            location = snapshot.locate(Span(place, place))
            if uri_key(location.uri) == uri_key(uri):
                hint = types.InlayHint(
                    location.range.start, f": {traced.dtype}{traced.shape}", types.InlayHintKind.Type
                )
                if server.client.resolves_hints:
                    hint.data = {"uri": uri, "row": traced.row, "name": traced.name}
                else:
                    hint.tooltip = _operators(traced)
                found.append(hint)
        return found

    @server.feature(types.INLAY_HINT_RESOLVE)
    def resolve(hint: types.InlayHint) -> types.InlayHint:
        data: object = hint.data
        if isinstance(data, dict):
            asked = cast("dict[str, Any]", data)
            snapshot = server.documents.snapshot(str(asked.get("uri")))
            row = asked.get("row")
            if snapshot is not None and isinstance(row, int):
                here = traced_at(server, snapshot.filename, row)
                hint.tooltip = next((_operators(one) for one in here if one.name == asked.get("name")), None)
        return hint


def _operators(traced: Traced) -> str | None:
    """The operators that a line became: of a long loop there are hundreds."""
    return ", ".join(traced.operators) or None


def _end_of_name(line: str, name: str) -> int | None:
    """The column (from 1) behind the name that a line assigns; None where it is not to be seen there."""
    match = re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", line)
    return match.end() + 1 if match is not None else None
