"""workspace/executeCommand: what the user starts by hand."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from exportdb_rules.finding import Edit, Mode, Position, Span
from lsprotocol import types

from exportdb_lsp.links import rule_page
from exportdb_lsp.lsp import status
from exportdb_lsp.lsp.actions import verify_fix
from exportdb_lsp.lsp.documents import brief, is_too_long, path_of
from exportdb_lsp.lsp.edits import workspace_edit
from exportdb_lsp.lsp.errors import invalid_params, may_not_edit, request_failed, untrusted
from exportdb_lsp.lsp.exporting import export
from exportdb_lsp.lsp.showing import show_page, show_text
from exportdb_lsp.lsp.workspace_check import check_workspace
from exportdb_lsp.worker.goals import GOALS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from exportdb_lsp.confirm.request import Dynamic
    from exportdb_lsp.confirm.result import Graph, Inputs
    from exportdb_lsp.confirm.targets import Target
    from exportdb_lsp.lsp.server import ExportServer

    Arguments = Mapping[str, object]
    Handler = Callable[[ExportServer, Arguments, types.ProgressToken | None], Awaitable[object]]


def register(server: ExportServer) -> None:
    """All commands. Each takes at most one argument, an object."""
    for name, handler in COMMANDS.items():
        _register(server, name, handler)

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel(params: types.WorkDoneProgressCancelParams) -> None:
        server.running_tasks.cancel(params.token)


def _register(server: ExportServer, name: str, handler: Handler) -> None:
    async def run(params: types.ExecuteCommandParams) -> object:
        given = params.arguments or []
        first: object = given[0] if given else {}
        if not isinstance(first, Mapping) or len(given) > 1:
            raise invalid_params(f"{name} takes one object, not {len(given)} arguments")
        return await handler(server, cast("Arguments", first), params.work_done_token)

    server.command(name)(run)


async def _export(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    results = await export(
        server,
        _filename(server, arguments),
        name=_text(arguments, "name"),
        modes=_modes(arguments),
        dynamic=_dynamic(arguments),
        token=token,
    )
    return {"results": [result.to_json() for result in results]}


async def _show_graph(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    filename = _filename(server, arguments)
    name = _text(arguments, "name")
    modes = (_mode(arguments.get("mode", Mode.NON_STRICT.value)),)
    results = await export(
        server,
        filename,
        name=name,
        modes=modes,
        dynamic=_dynamic(arguments),
        goals=_goals(arguments),
        show_graph=True,
        token=token,
    )
    graph: Graph | None = next((r.graph for r in results if r.graph is not None), None)
    if graph is None:
        why = results[0].message if results else "no target"
        raise request_failed(f"no graph: {why}")
    if _flag(arguments, "show"):
        await show_text(server, f"{results[0].target} ({results[0].how}).txt", graph.text)
    lines = [[at, server.locate(file, row).uri, row] for at, file, row in graph.lines]
    return {"graph": graph.text, "lines": lines}


async def _clear(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    everything = arguments.get("uri") is None
    server.verdicts.clear(None if everything else _filename(server, arguments))
    server.refresh()
    return None


async def _write_inputs(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    """Write the inputs that an export used above its target, as the comment that the next export reads."""
    filename = _filename(server, arguments)
    name = _text(arguments, "name")
    if name is None:
        raise invalid_params("`name` of the target is missing")
    target = next((t for t in _targets(server, filename) if t.name == name), None)
    if target is None:
        raise request_failed(f"{filename} has no target {name!r}")
    inputs = _known_inputs(server, filename, name)
    if inputs is None:
        results = await export(server, filename, name=name, modes=(Mode.NON_STRICT,), token=token)
        inputs = next((r.inputs for r in results if r.inputs is not None), None)
        if inputs is None:
            why = results[0].message if results else "nothing was exported"
            raise request_failed(f"no inputs to write: {why}")
    if inputs.source.value == "comment":
        return {"written": False, "reason": "the inputs are already in a comment"}
    snapshot = server.text_of(filename)
    if snapshot is None:
        raise request_failed(f"{filename} is not open")
    row = target.whole.start.row
    line = snapshot.lines.line(row - 1)
    place = Position(row, 1)
    indent = line[: len(line) - len(line.lstrip())]
    edit = Edit(Span(place, place), f"{indent}{inputs.as_comment()}\n")
    if not server.client.applies_edits:
        raise may_not_edit()
    params = types.ApplyWorkspaceEditParams(workspace_edit(snapshot, [edit], server.client), "Write example inputs")
    answer = await server.workspace_apply_edit_async(params)
    return {"written": answer.applied, "reason": answer.failure_reason}


def _known_inputs(server: ExportServer, filename: str, name: str) -> Inputs | None:
    found = (v.result.inputs for v in server.verdicts.find(filename, name) if v.current(server.digest))
    return next((inputs for inputs in found if inputs is not None), None)


async def _restart_worker(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    if not server.trusted:
        raise untrusted()
    server.running_tasks.cancel_all()
    server.drop_confirmer()
    status.tell(server, "worker stopped; the next export starts a new one")
    return None


async def _list_targets(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    from exportdb_lsp.confirm import recorded, sites

    filename = _filename(server, arguments)
    found: list[dict[str, Any]] = []
    lines = server.lines(filename)
    known = {call.entry for call in recorded.of_file(filename, lines.text)} if lines is not None else set[str]()
    for target in _targets(server, filename):
        found.append(
            {
                "name": target.name,
                "range": _plain(server.locate(filename, target.whole).range),
                "selectionRange": _plain(server.locate(filename, target.span).range),
                "source": "recorded" if target.name in known else target.source.value,
            }
        )
    for site in sites.of_text(lines.text).sites if lines is not None else ():
        span = Span(Position(site.row, 1), Position(site.end_row + 1, 1))
        range_ = _plain(server.locate(filename, span).range)
        inside = f" in {site.function}" if site.function else ""
        label = f"export at line {site.row}{inside}"
        found.append(
            {"name": str(site.row), "label": label, "range": range_, "selectionRange": range_, "source": "call"}
        )
    return {"targets": found}


async def _check_workspace(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    return await check_workspace(server, token)


async def _explain(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    """The errors of torch.export in a text. Nothing is run for it, so it needs no trust."""
    from exportdb_lsp.explain.explaining import explain

    text = arguments.get("text")
    if not isinstance(text, str):
        raise invalid_params("`text` is missing")
    await server.configured()
    near = _filename(server, arguments) if "uri" in arguments else None
    folders = server.configuration.folders
    place = server.place(near or str((folders[0] if folders else Path.cwd()) / "-"))
    documents = {snapshot.filename: snapshot.text for snapshot in server.documents.snapshots()}
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(server.exports, explain, text, place.folder, place.interpreter, documents)
    explanations: list[dict[str, object]] = []
    for explanation in found:
        frame = explanation.result.frame
        line = server.locate(frame.filename, frame.row) if frame is not None and explanation.here else None
        where = {"uri": line.uri, "range": _plain(line.range)} if line is not None else {"uri": None, "range": None}
        explanations.append({**explanation.to_json(), **where})
    return {"explanations": explanations}


async def _rule(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    from exportdb_rules.page import page
    from exportdb_rules.rule import find

    code = _text(arguments, "code")
    if code is None:
        raise invalid_params("`code` is missing")
    rule = find(code)
    if rule is None:
        raise request_failed(f"no rule {code!r}")
    if _flag(arguments, "show"):
        await show_page(server, rule_page(rule.name))
    return {"code": rule.code, "name": rule.name, "markdown": page(rule)}


async def _status(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    await server.configured()
    return status.describe(server, _filename(server, arguments) if "uri" in arguments else None)


async def _verify_fix(server: ExportServer, arguments: Arguments, token: types.ProgressToken | None) -> object:
    return await verify_fix(server, dict(arguments), token)


COMMANDS: dict[str, Handler] = {
    "exportdb.export": _export,
    "exportdb.showGraph": _show_graph,
    "exportdb.clear": _clear,
    "exportdb.writeInputs": _write_inputs,
    "exportdb.restartWorker": _restart_worker,
    "exportdb.targets": _list_targets,
    "exportdb.checkWorkspace": _check_workspace,
    "exportdb.explain": _explain,
    "exportdb.rule": _rule,
    "exportdb.status": _status,
    "exportdb.verifyFix": _verify_fix,
}


def _targets(server: ExportServer, filename: str) -> list[Target]:
    from exportdb_lsp.confirm import targets

    lines = server.lines(filename)
    if lines is None:
        raise request_failed(f"{filename} cannot be read")
    try:
        return targets.find(lines.text, filename, targets.configured(server.place(filename).folder))
    except SyntaxError as error:
        raise request_failed(f"{filename}:{error.lineno}: syntax error: {error.msg}") from error
    except ValueError as error:
        raise request_failed(f"{filename}: {error}") from error


def _filename(server: ExportServer, arguments: Arguments) -> str:
    uri = arguments.get("uri")
    if not isinstance(uri, str):
        raise invalid_params("`uri` is missing")
    snapshot = server.documents.snapshot(uri)
    if snapshot is not None:
        return snapshot.filename
    path = path_of(uri)
    if path is None:
        what = "has a name that is too long" if is_too_long(uri) else "is not open"
        raise request_failed(f"{brief(uri)} {what}")
    return str(path)


def _text(arguments: Arguments, key: str) -> str | None:
    value = arguments.get(key)
    if value is not None and not isinstance(value, str):
        raise invalid_params(f"`{key}` must be a string")
    return value or None


def _flag(arguments: Arguments, key: str) -> bool:
    value = arguments.get(key, False)
    if not isinstance(value, bool):
        raise invalid_params(f"`{key}` must be true or false")
    return value


def _modes(arguments: Arguments) -> tuple[Mode, ...] | None:
    given = arguments.get("modes")
    if given is None:
        return None
    if not isinstance(given, (list, tuple)) or not given:
        raise invalid_params("`modes` must be a list of `non-strict` and `strict`")
    return tuple(dict.fromkeys(_mode(mode) for mode in cast("list[object]", given)))


def _mode(given: object) -> Mode:
    mode = next((m for m in Mode if m.value == given), None)
    if mode is None:
        raise invalid_params(f"a mode must be `non-strict` or `strict`, not {given!r}")
    return mode


def _dynamic(arguments: Arguments) -> Dynamic:
    given = arguments.get("dynamic", "given")
    if isinstance(given, str) and given in ("given", "none", "auto"):
        return given
    raise invalid_params(f"`dynamic` must be `given`, `none` or `auto`, not {given!r}")


def _goals(arguments: Arguments) -> tuple[str, ...]:
    goal = arguments.get("goal")
    if goal is None:
        return ()
    if isinstance(goal, str) and goal in GOALS:
        return (goal,)
    raise invalid_params(f"`goal` must be one of {', '.join(GOALS)}, not {goal!r}")


def _plain(range_: types.Range) -> dict[str, Any]:
    return {
        "start": {"line": range_.start.line, "character": range_.start.character},
        "end": {"line": range_.end.line, "character": range_.end.character},
    }
