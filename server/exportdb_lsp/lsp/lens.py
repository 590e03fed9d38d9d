"""Code lenses: above every entry the last verdict, and the ways to a new one."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.finding import Mode
from lsprotocol import types

from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.lsp.analysis import Superseded
from exportdb_lsp.lsp.documents import uri_key
from exportdb_lsp.lsp.errors import content_modified
from exportdb_lsp.worker.goals import GOALS

if TYPE_CHECKING:
    from exportdb_rules import engine

    from exportdb_lsp.confirm.confirmation import ExportVerdict
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

_SIGNS: Final = {Outcome.OK: "✓", Outcome.FAILS: "✗", Outcome.DIVERGES: "✗", Outcome.SPECIALIZES: "✗"}
_MODES: Final = {
    "Export": [mode.value for mode in Mode],
    "Export strict": [Mode.STRICT.value],
    "Export non-strict": [Mode.NON_STRICT.value],
}


def register(server: ExportServer) -> None:
    """textDocument/codeLens."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        await server.configured()
        if snapshot is None or not server.documents.is_python(uri):
            return []
        if not server.place(snapshot.filename).user.code_lens:
            return []
        try:
            report = await server.report(snapshot)
        except Superseded:
            raise content_modified() from None
        found: list[types.CodeLens] = []
        for entry in report.entries:
            location = snapshot.locate(entry.span)
            if uri_key(location.uri) == uri_key(uri):
                found += _of_entry(server, snapshot, entry, location)
        return found + _of_calls(server, snapshot, uri)

    @server.feature(types.CODE_LENS_RESOLVE)
    def resolve(lens: types.CodeLens) -> types.CodeLens:
        data: object = lens.data
        if lens.command is None and isinstance(data, dict):
            asked = cast("dict[str, Any]", data)
            filename, key = str(asked.get("filename")), asked.get("key")
            known = [verdict for verdict in server.verdicts.of(filename) if _key(verdict) == key]
            # It may have been cleared meanwhile: then the lens says nothing, until the client asks anew.
            title = _title(known[0], not known[0].current(server.digest)) if known else ""
            lens.command = types.Command(title, "exportdb.export", arguments=[asked.get("argument")])
        return lens


def target_of(entry: engine.Entry) -> str:
    """The name of what is exported for an entry: the class of a `forward`, or the function itself."""
    return entry.class_name or entry.name


def _of_entry(
    server: ExportServer, snapshot: Snapshot, entry: engine.Entry, location: types.Location
) -> list[types.CodeLens]:
    name = target_of(entry)
    uri = location.uri
    target = {"uri": uri, "name": name}
    found: list[types.CodeLens] = []
    for verdict in server.verdicts.find(snapshot.filename, name):
        asked = {**target, "modes": [verdict.result.mode.value]}
        found.append(_of_verdict(server, location.range, verdict, asked))
    if server.trusted:
        for title, modes in _MODES.items():
            found.append(_lens(location.range, title + _goals(server, snapshot), {**target, "modes": modes}))
        client = server.client
        if client.shows_graphs or client.shows_documents:
            modes = server.place(snapshot.filename).user.modes
            asked = {**target, "mode": modes[0].value, "show": not client.shows_graphs}
            found.append(_lens(location.range, "Graph", asked, "exportdb.showGraph"))
            for goal in server.place(snapshot.filename).user.to:
                of_goal = {**asked, "goal": goal}
                found.append(_lens(location.range, f"{GOALS[goal].title} graph", of_goal, "exportdb.showGraph"))
    return found


def _of_calls(server: ExportServer, snapshot: Snapshot, uri: str) -> list[types.CodeLens]:
    """Above every call of torch.export: its last verdict, and the way to a new one, in the mode that it chooses."""
    from exportdb_lsp.confirm import sites

    found: list[types.CodeLens] = []
    try:
        calls = sites.of_text(snapshot.text).sites if not snapshot.notebook else ()
    except SyntaxError:
        return found
    for site in calls:
        line = types.Position(site.row - 1, 0)
        range_ = types.Range(line, line)
        target = {"uri": uri, "name": str(site.row)}
        for verdict in server.verdicts.of_call(snapshot.filename, range(site.row, site.end_row + 1)):
            found.append(_of_verdict(server, range_, verdict, target))
        if server.trusted:
            found.append(_lens(range_, "Export" + _goals(server, snapshot), target))
    return found


def _goals(server: ExportServer, snapshot: Snapshot) -> str:
    """What the exported programs are taken on to, as the end of a title; empty where the settings name no goal."""
    titles = [GOALS[goal].title for goal in server.place(snapshot.filename).user.to]
    return f" to {', '.join(titles)}" if titles else ""


def _of_verdict(
    server: ExportServer, range_: types.Range, verdict: ExportVerdict, argument: dict[str, Any]
) -> types.CodeLens:
    """The last verdict. Whether it still holds is a question to every file that it is about: asked when it is seen."""
    if server.client.resolves_lenses:
        data = {"filename": verdict.result.filename, "key": _key(verdict), "argument": argument}
        return types.CodeLens(range_, data=data)
    return _lens(range_, _title(verdict, not verdict.current(server.digest)), argument)


def _key(verdict: ExportVerdict) -> list[str]:
    result = verdict.result
    return [result.target, result.how, result.call]


def _lens(
    range_: types.Range, title: str, argument: dict[str, Any], command: str = "exportdb.export"
) -> types.CodeLens:
    return types.CodeLens(range_, types.Command(title, command, arguments=[argument]))


def _title(verdict: ExportVerdict, old: bool) -> str:
    result = verdict.result
    sign = "○" if old else _SIGNS.get(result.outcome, "!")
    what = "exports" if result.outcome is Outcome.OK else result.outcome.value
    age = " (stale)" if old else ""
    return f"{sign} {result.how}: {what}{age}"
