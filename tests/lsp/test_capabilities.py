"""What a client can do decides what it gets: each capability with it, and without it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.confirm.worker_process import WorkerProcess
from lsprotocol import types
from pygls.exceptions import JsonRpcException

CALLED = """\
import torch
from torch import nn


def scale(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


# exportdb: args=(torch.ones(3),)
class Net(nn.Module):
    def forward(self, x):
        return scale(x)
"""
FINE = """\
import torch
from torch import nn


# exportdb: args=(torch.ones(3),)
class Net(nn.Module):
    def forward(self, x):
        y = x + 1
        return y
"""


async def test_a_finding_says_all_that_a_client_can_show(start: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", CALLED)
    (mark,) = (await editor.pull(uri)).items
    assert mark.data == {
        "name": "tensor-branch",
        "entry": "Net.forward",
        "confidence": "certain",
        "verdict": {"non-strict": "fails", "strict": "fails"},
        "fixable": True,
    }
    (related,) = mark.related_information
    assert (related.location.uri, related.location.range.start.line) == (uri, 13)


async def test_a_client_that_cannot_be_told_to_pull_again_gets_everything_pushed(start: Any, helpers: Any) -> None:
    assert (await start()).started.capabilities.diagnostic_provider is not None
    editor = await start(helpers.without("workspace.diagnostics"))
    assert editor.started.capabilities.diagnostic_provider is None
    uri = editor.open("net.py", CALLED)
    await editor.until_pushed(uri, lambda p: [mark.code for mark in p.diagnostics] == ["EDB101"])
    await editor.command("exportdb.export", {"uri": uri, "modes": ["strict"]})
    pushed = await editor.until_pushed(uri, lambda p: "confirmed" in p.diagnostics[0].message)
    assert [(mark.source, mark.code, mark.range.start.line) for mark in pushed.diagnostics] == [
        ("exportdb", "EDB101", 5)
    ]
    editor.replace(uri, "\n" + CALLED)
    await editor.until_pushed(uri, lambda p: "confirmed" not in p.diagnostics[0].message)
    assert types.WORKSPACE_DIAGNOSTIC_REFRESH not in editor.refreshed
    # Nor is it sent what is not of the protocol, as it did not say that it knows it.
    assert editor.status == []


async def test_clients_are_told_to_ask_again_only_for_what_they_can(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("workspace.codeLens", "workspace.inlayHint"))
    uri = editor.open("net.py", FINE)
    seen = len(editor.refreshed)
    await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    await editor.until(lambda: len(editor.refreshed) > seen)
    assert set(editor.refreshed) == {types.WORKSPACE_DIAGNOSTIC_REFRESH}
    everything = await start()
    uri = everything.open("net.py", FINE)
    seen = len(everything.refreshed)
    await everything.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    wanted = {
        types.WORKSPACE_DIAGNOSTIC_REFRESH,
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.WORKSPACE_INLAY_HINT_REFRESH,
    }
    await everything.until(lambda: wanted <= set(everything.refreshed[seen:]))


async def test_what_is_seen_late_is_worked_out_late(start: Any, helpers: Any) -> None:
    capabilities = helpers.without()
    capabilities["textDocument"]["codeLens"] = {"resolveSupport": {"properties": ["command"]}}
    capabilities["textDocument"]["inlayHint"] = {"resolveSupport": {"properties": ["tooltip"]}}
    editor = await start(capabilities, settings={"inlayHints": True})
    uri = editor.open("net.py", FINE)
    await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    document = types.TextDocumentIdentifier(uri)
    lenses = await editor.within(editor.client.text_document_code_lens_async(types.CodeLensParams(document)))
    assert [lens.command.title if lens.command else None for lens in lenses][:2] == [None, "Export"]
    resolved = await editor.within(editor.client.code_lens_resolve_async(lenses[0]))
    assert resolved.command.title == "✓ non-strict: exports"
    assert helpers.plain(resolved.command.arguments) == [{"uri": uri, "name": "Net", "modes": ["non-strict"]}]
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    (hint,) = await editor.within(editor.client.text_document_inlay_hint_async(types.InlayHintParams(document, whole)))
    assert hint.tooltip is None
    assert "add" in (await editor.within(editor.client.inlay_hint_resolve_async(hint))).tooltip
    # What is resolved is as it is now.
    editor.replace(uri, FINE + "\n")
    resolved = await editor.within(editor.client.code_lens_resolve_async(lenses[0]))
    assert resolved.command.title == "○ non-strict: exports (stale)"
    await editor.command("exportdb.clear", {"uri": uri})
    assert (await editor.within(editor.client.code_lens_resolve_async(lenses[0]))).command.title == ""


async def test_a_hover_is_in_the_words_that_a_client_can_show(start: Any, helpers: Any) -> None:
    rich = await start()
    text = await rich.hover(rich.open("net.py", helpers.BRANCH), 6, 12)
    assert text.kind is types.MarkupKind.Markdown
    assert "**EDB101** [tensor-branch](https://" in text.value
    assert "No fix" not in text.value
    unfixed = helpers.BRANCH.replace("return x - 1", "return 'negative'")
    text = await rich.hover(rich.open("unfixed.py", unfixed), 6, 12)
    assert "**No fix:** a branch or an iteration results in something that is not a tensor" in text.value
    poor = await start(helpers.without("textDocument.hover"))
    text = await poor.hover(poor.open("net.py", helpers.BRANCH), 6, 12)
    assert text.kind is types.MarkupKind.PlainText
    assert text.value.startswith("EDB101 tensor-branch · non-strict: fails")
    assert "**" not in text.value
    assert "](" not in text.value


async def test_hints_are_off_unless_somebody_wants_them(start: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", FINE)
    await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    whole = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), whole)
    assert not await editor.within(editor.client.text_document_inlay_hint_async(params))
    editor.client.set_configuration({"exportdb": {"inlayHints": True}})
    seen = len(editor.refreshed)
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await editor.until(lambda: types.WORKSPACE_INLAY_HINT_REFRESH in editor.refreshed[seen:])
    hints = await editor.within(editor.client.text_document_inlay_hint_async(params))
    assert [hint.label for hint in hints] == [": float32[3]"]


async def test_a_graph_is_opened_in_an_editor_that_lets_a_server_open_something(start: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", FINE)
    assert await editor.lenses(uri) == ["Export", "Export strict", "Export non-strict", "Graph"]
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    lens = (await editor.within(editor.client.text_document_code_lens_async(params)))[-1]
    (argument,) = lens.command.arguments
    answer = await editor.command(lens.command.command, argument)
    (shown,) = editor.client.shown_documents
    assert (shown.external, shown.take_focus) == (False, True)
    assert shown.uri.endswith("/Net%20%28non-strict%29.txt")
    path = Path(shown.uri.removeprefix("file://").replace("%20", " ").replace("%28", "(").replace("%29", ")"))
    assert path.read_text("utf-8") == answer["graph"]
    page = await editor.command("exportdb.rule", {"code": "EDB101", "show": True})
    assert page["name"] == "tensor-branch"
    shown = editor.client.shown_documents[-1]
    assert (shown.external, shown.uri.endswith("/rules/tensor-branch/")) == (True, True)
    editor.server.scratch_documents.close()
    assert not path.exists()


async def test_nothing_is_opened_where_a_server_may_not(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("window.showDocument"))
    uri = editor.open("net.py", FINE)
    assert await editor.lenses(uri) == ["Export", "Export strict", "Export non-strict"]
    answer = await editor.command("exportdb.showGraph", {"uri": uri, "name": "Net", "show": True})
    assert "aten" in answer["graph"]
    assert editor.client.shown_documents == []


async def test_a_client_with_a_view_of_its_own_is_given_the_graph_alone(start: Any) -> None:
    editor = await start(options={"showsGraphs": True})
    uri = editor.open("net.py", FINE)
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    lens = (await editor.within(editor.client.text_document_code_lens_async(params)))[-1]
    (argument,) = lens.command.arguments
    assert "aten" in (await editor.command(lens.command.command, argument))["graph"]
    assert editor.client.shown_documents == []


async def test_inputs_are_not_written_where_a_server_may_not_edit(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("workspace.applyEdit"))
    text = (
        helpers.BRANCH.replace("x.sum() > 0", "x.shape[0] > 0") + "\n\nmodel = Net()\nexample_args = (torch.ones(3),)\n"
    )
    uri = editor.open("net.py", text)
    with pytest.raises(JsonRpcException, match="does not support workspace/applyEdit"):
        await editor.command("exportdb.writeInputs", {"uri": uri, "name": "Net"})


async def test_progress_is_shown_where_it_can_be(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("window.workDoneProgress"))
    uri = editor.open("net.py", FINE)
    answer = await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    assert [r["outcome"] for r in answer["results"]] == ["ok"]
    assert editor.client.progress_reports == {}
    # A token that comes with the request is the client's own word that it shows progress.
    await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]}, "mine")
    reports = editor.client.progress_reports["mine"]
    assert isinstance(reports[0], types.WorkDoneProgressBegin)
    assert isinstance(reports[-1], types.WorkDoneProgressEnd)


async def test_the_worker_is_started_again_after_it_was_stopped(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exportdb_lsp.confirm.confirmer.WorkerProcess", WorkerProcess)
    editor = await start()
    uri = editor.open("net.py", FINE)
    asked = {"uri": uri, "modes": ["non-strict"]}
    before = await editor.command("exportdb.export", asked)
    assert await editor.command("exportdb.restartWorker") is None
    after = await editor.command("exportdb.export", asked)
    assert [r["outcome"] for r in (*before["results"], *after["results"])] == ["ok", "ok"]


async def test_the_workspace_is_told_piece_by_piece_to_who_asks_for_that(
    start: Any, helpers: Any, tmp_path: Path
) -> None:
    for number in range(25):
        (tmp_path / f"net{number:02}.py").write_text(helpers.BRANCH)
    editor = await start()
    params = types.WorkspaceDiagnosticParams([], partial_result_token="pieces")
    pieces: list[Any] = []
    editor.client.protocol.fm._features.pop(types.PROGRESS, None)

    @editor.client.feature(types.PROGRESS)
    def piece(params: Any) -> None:
        if params.token == "pieces":
            pieces.append(params.value)

    last = await editor.within(editor.client.workspace_diagnostic_async(params))
    await editor.until(lambda: pieces)
    assert ([len(helpers.plain(piece)["items"]) for piece in pieces], len(last.items)) == ([20], 5)


async def test_a_client_that_knows_no_folders_has_the_one_it_was_started_in(
    start: Any, helpers: Any, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.exportdb]\nignore = ["EDB101"]\n')
    capabilities = helpers.without("workspace.workspaceFolders")
    for extra in ({}, {"root_path": str(tmp_path)}):
        editor = await start(capabilities, folders=[], **extra)
        uri = editor.open("net.py", helpers.BRANCH)
        assert await editor.codes(uri) == []
        assert editor.server.configuration.folders == [tmp_path]


async def test_folders_come_and_go(start: Any, helpers: Any, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / "net.py").write_text(helpers.BRANCH)
    editor = await start(folders=[one])

    async def seen() -> set[str]:
        report = await editor.pull_workspace()
        return {item.uri.rpartition("/one/")[2] if "/one/" in item.uri else item.uri[-10:] for item in report.items}

    assert await seen() == {"net.py"}

    def folder(path: Path) -> types.WorkspaceFolder:
        return types.WorkspaceFolder(editor.uri(path.name), path.name)

    event = types.WorkspaceFoldersChangeEvent(added=[folder(two)], removed=[folder(one)])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    assert await seen() == {"two/net.py"}


async def test_a_trace_is_told_as_far_as_it_is_wanted(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    await editor.pull(uri)
    assert editor.traced == []
    editor.client.set_trace(types.SetTraceParams(types.TraceValue.Messages))
    await editor.pull(uri)
    await editor.until(lambda: editor.traced)
    (line,) = editor.traced
    assert line.message.startswith(f"{uri}: 1 findings in ")
    assert line.verbose is None
    editor.client.set_trace(types.SetTraceParams(types.TraceValue.Verbose))
    await editor.pull(uri)
    await editor.until(lambda: len(editor.traced) == 2)
    assert "version 1" in editor.traced[1].verbose
    editor.client.set_trace(types.SetTraceParams(types.TraceValue.Off))
    await editor.pull(uri)
    await asyncio.sleep(0.1)
    assert len(editor.traced) == 2


async def test_a_trace_can_be_asked_for_at_the_start(start: Any, helpers: Any) -> None:
    editor = await start(trace=types.TraceValue.Verbose)
    await editor.pull(editor.open("net.py", helpers.BRANCH))
    await editor.until(lambda: editor.traced)
    assert editor.traced[0].verbose


async def test_cells_that_a_client_sends_as_plain_documents_are_checked_each_for_itself(
    start: Any, helpers: Any, tmp_path: Path
) -> None:
    editor = await start(helpers.without("notebookDocument"))
    uri = editor.open(f"vscode-notebook-cell:{tmp_path}/book.ipynb#c0", helpers.BRANCH)
    assert await editor.codes(uri) == [("EDB101", 6)]
