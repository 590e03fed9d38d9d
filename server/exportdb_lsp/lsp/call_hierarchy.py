"""Call hierarchy: how export gets from an entry to a line, over the calls that the analyser follows."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, cast

from exportdb_rules.finding import Position
from lsprotocol import types

from exportdb_lsp.files.names import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.call_graph import CallGraph, TracedCall, TracedFunction

    from exportdb_lsp.lsp.server import ExportServer


def register(server: ExportServer) -> None:
    """textDocument/prepareCallHierarchy, callHierarchy/incomingCalls and callHierarchy/outgoingCalls."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def prepare(params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        if snapshot is None or not server.documents.is_python(uri):
            return None
        place = snapshot.span_of(uri, types.Range(params.position, params.position)).start
        graph = await _graph(server, snapshot.filename)
        return [_item(server, function, graph) for function in graph.at(snapshot.filename, place)] or None

    @server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    async def incoming(params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
        function, graph = await _again(server, params.item)
        callers = _grouped((call.caller, call) for call in graph.calls if call.callee == function)
        return [
            types.CallHierarchyIncomingCall(_item(server, caller, graph), _ranges(server, calls))
            for caller, calls in callers.items()
        ]

    @server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    async def outgoing(params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
        function, graph = await _again(server, params.item)
        callees = _grouped((call.callee, call) for call in graph.calls if call.caller == function)
        return [
            types.CallHierarchyOutgoingCall(_item(server, callee, graph), _ranges(server, calls))
            for callee, calls in callees.items()
        ]


async def _graph(server: ExportServer, filename: str) -> CallGraph:
    await server.configured()
    place = server.place(filename)
    return await server.analysis.call_graph(place.root, filename, place.engine)


async def _again(server: ExportServer, item: types.CallHierarchyItem) -> tuple[TracedFunction | None, CallGraph]:
    """The function that an item stands for, in the texts as they are now; None where it is not traced any more."""
    from exportdb_rules.call_graph import CallGraph

    data: Any = item.data
    if not isinstance(data, dict):
        return None, CallGraph((), ())
    known = cast("dict[str, Any]", data)
    filename, name, at = str(known.get("filename")), known.get("name"), known.get("at")
    graph = await _graph(server, filename)
    for function in sorted(graph.functions()):
        start = function.selection.start
        if (function.filename, function.name, [start.row, start.column]) == (filename, name, at):
            return function, graph
    return None, graph


def _item(server: ExportServer, function: TracedFunction, graph: CallGraph) -> types.CallHierarchyItem:
    location = server.locate(function.filename, function.span)
    start: Position = function.selection.start
    return types.CallHierarchyItem(
        name=function.name,
        kind=types.SymbolKind.Method if function.is_method else types.SymbolKind.Function,
        uri=location.uri,
        range=location.range,
        selection_range=server.locate(function.filename, function.selection).range,
        detail=f"{shown(function.filename)}, export begins here"
        if function in graph.entries
        else shown(function.filename),
        data={"filename": function.filename, "name": function.name, "at": [start.row, start.column]},
    )


def _grouped(
    pairs: Iterable[tuple[TracedFunction, TracedCall]],
) -> dict[TracedFunction, list[TracedCall]]:
    found: defaultdict[TracedFunction, list[TracedCall]] = defaultdict(list)
    for function, call in pairs:
        found[function].append(call)
    return found


def _ranges(server: ExportServer, calls: Iterable[TracedCall]) -> list[types.Range]:
    return [server.locate(call.caller.filename, call.span).range for call in calls]
