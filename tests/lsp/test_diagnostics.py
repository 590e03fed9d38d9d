"""Findings reach the editor: pulled or pushed, in its units, with what it can show, and never about an older text."""

import asyncio
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.lsp import file_reader, workspace_check
from lsprotocol import types
from pygls.exceptions import JsonRpcException

ASTRAL = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        s = "😀é"; y = x + 1 if x.sum() > 0 else x
        return y
"""


async def test_a_pull_says_what_is_found_and_then_that_nothing_changed(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    report = await editor.pull(uri)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    (mark,) = report.items
    assert mark.code == "EDB101"
    assert mark.source == "exportdb"
    assert mark.severity is types.DiagnosticSeverity.Error
    assert mark.range == types.Range(types.Position(6, 11), types.Position(6, 22))
    assert mark.code_description is not None
    assert mark.code_description.href.endswith("/rules/tensor-branch/")
    again = await editor.pull(uri, report.result_id)
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    assert again.result_id == report.result_id
    editor.replace(uri, helpers.BRANCH.replace("x.sum() > 0", "x.shape[0] > 0"))
    changed = await editor.pull(uri, report.result_id)
    assert isinstance(changed, types.RelatedFullDocumentDiagnosticReport)
    assert not changed.items


async def test_a_client_that_pulls_is_not_pushed_to(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    await editor.pull(uri)
    await asyncio.sleep(0.5)
    assert editor.pushed == []


async def test_a_client_that_does_not_pull_is_pushed_to(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("textDocument.diagnostic"))
    uri = editor.open("net.py", helpers.BRANCH)
    first = await editor.until_pushed(uri, lambda p: p.diagnostics)
    assert helpers.marks(first.diagnostics) == [("EDB101", 6)]
    assert first.version == 1
    version = editor.replace(uri, "\n" + helpers.BRANCH)
    second = await editor.until_pushed(uri, lambda p: p.version == version)
    assert helpers.marks(second.diagnostics) == [("EDB101", 7)]
    editor.close(uri)
    closed = await editor.until_pushed(uri, lambda p: not p.diagnostics)
    assert closed.version is None


async def test_a_client_gets_only_what_it_can_show(start: Any, helpers: Any) -> None:
    capabilities = helpers.without("textDocument.diagnostic", "textDocument.publishDiagnostics")
    editor = await start(capabilities)
    uri = editor.open("net.py", helpers.BRANCH + "\n# exportdb: ignore[EDB201]\n")
    pushed = await editor.until_pushed(uri, lambda p: p.diagnostics)
    assert pushed.version is None
    assert helpers.marks(pushed.diagnostics) == [("EDB001", 10), ("EDB101", 6)]
    for mark in pushed.diagnostics:
        assert (mark.related_information, mark.code_description, mark.data, mark.tags) == (None, None, None, None)


async def test_an_unused_suppression_is_greyed_out(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH + "\n# exportdb: ignore[EDB201]\n")
    found = {mark.code: list(mark.tags or ()) for mark in (await editor.pull(uri)).items}
    assert found == {"EDB101": [], "EDB001": [types.DiagnosticTag.Unnecessary]}


@pytest.mark.parametrize(
    ("offered", "agreed", "start_at", "end_at"),
    [
        (["utf-8"], "utf-8", 35, 46),
        (["utf-16"], "utf-16", 32, 43),
        (["utf-32"], "utf-32", 31, 42),
        (["utf-32", "utf-8"], "utf-32", 31, 42),
        (None, "utf-16", 32, 43),
    ],
)
async def test_columns_are_in_the_units_that_were_agreed_on(
    start: Any, helpers: Any, offered: list[str] | None, agreed: str, start_at: int, end_at: int
) -> None:
    capabilities = helpers.without("general")
    if offered is not None:
        capabilities["general"] = {"positionEncodings": offered}
    editor = await start(capabilities)
    assert editor.started.capabilities.position_encoding == agreed
    uri = editor.open("net.py", ASTRAL)
    (mark,) = (await editor.pull(uri)).items
    assert mark.range == types.Range(types.Position(6, start_at), types.Position(6, end_at))
    # An edit in the same units, behind the emoji: the tensor becomes a shape.
    changed = types.TextDocumentContentChangePartial(range=mark.range, text="x.shape[0] > 0")
    editor.change(uri, changed)
    assert not (await editor.pull(uri)).items


async def test_edits_are_applied_one_after_the_other_by_the_lines_of_the_protocol(start: Any, helpers: Any) -> None:
    editor = await start()
    text = "# one\x0ctwo\u2028three\r\n" + helpers.BRANCH.replace("\n", "\r\n")
    uri = editor.open("net.py", text)
    assert await editor.codes(uri) == [("EDB101", 7)]

    def insert(line: int, character: int, text: str) -> types.TextDocumentContentChangePartial:
        place = types.Position(line, character)
        return types.TextDocumentContentChangePartial(range=types.Range(place, place), text=text)

    editor.change(uri, insert(0, 0, "#\n"), insert(0, 1, "\n"), insert(99, 0, "\n# the end"))
    assert await editor.codes(uri) == [("EDB101", 9)]


async def test_findings_outside_a_broken_statement_stay_where_they_are(start: Any, helpers: Any) -> None:
    editor = await start()
    second = helpers.BRANCH.replace("Net", "Other").partition("\n\n\n")[2]
    text = helpers.BRANCH + "\n\n" + second
    uri = editor.open("net.py", text)
    lines = [line for _, line in await editor.codes(uri)]
    assert lines == [6, 13]
    typed = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(8, 16), types.Position(8, 16)), text=" + (x.su"
    )
    editor.change(uri, typed)
    report = await editor.pull(uri)
    assert [line for code, line in helpers.marks(report.items) if code == "EDB101"] == [6, 13]
    told = [mark for mark in report.items if mark.code is None]
    assert [mark.severity for mark in told] == [types.DiagnosticSeverity.Information]


async def test_typing_in_one_file_changes_what_is_found_in_another_that_it_reaches(start: Any, tmp_path: Path) -> None:
    editor = await start()
    layers = editor.open("layers.py", "def scale(x):\n    if x.sum() > 0:\n        return x + 1\n    return x - 1\n")
    model = editor.open(
        "model.py",
        "from torch import nn\nfrom layers import scale\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        "        return scale(x)\n",
    )
    assert await editor.codes(model) == []
    assert await editor.codes(layers) == [("EDB101", 1)]
    editor.replace(layers, "def scale(x):\n    if x.shape[0] > 0:\n        return x + 1\n    return x - 1\n")
    assert await editor.codes(layers) == []
    # A shape instead of a tensor is handed over: nothing is wrong with the branch any more.
    editor.replace(layers, "def scale(n):\n    if n > 0:\n        return 1\n    return 2\n")
    assert await editor.codes(layers) == [("EDB101", 1)]
    editor.replace(
        model,
        "from torch import nn\nfrom layers import scale\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        "        return x * scale(x.shape[0])\n",
    )
    assert await editor.codes(layers) == []


async def test_a_request_about_a_text_that_changed_is_to_be_asked_again(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    asked = []
    for i in range(20):
        asked.append(await editor.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, params))
        editor.replace(uri, "\n" * (i + 1) + helpers.BRANCH)
    answers = await editor.within(asyncio.gather(*asked, return_exceptions=True))
    for i, answer in enumerate(answers):
        if isinstance(answer, JsonRpcException):
            assert (answer.code, answer.data["retriggerRequest"]) == (-32802, True)
        else:
            # Answered, then for the text that it was asked about.
            assert helpers.marks(answer.items) == [("EDB101", 6 + i)]
    assert await editor.codes(uri) == [("EDB101", 26)]


async def test_a_cancelled_request_is_answered_as_cancelled_and_takes_nothing_from_others(
    start: Any, helpers: Any
) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    with editor.held():
        first = await editor.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, params, "mine")
        second = await editor.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, params, "yours")
        editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id="mine"))
        with pytest.raises(JsonRpcException) as cancelled:
            await editor.within(first)
    assert cancelled.value.code == -32800
    assert (await editor.within(second)).items


async def test_the_whole_workspace_can_be_pulled(start: Any, helpers: Any, tmp_path: Path) -> None:
    (tmp_path / "closed.py").write_text(helpers.BRANCH)
    (tmp_path / "clean.py").write_text("import torch\n")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "theirs.py").write_text(helpers.BRANCH)
    editor = await start()
    uri = editor.open("open.py", helpers.BRANCH)
    first = await editor.pull_workspace()
    found = {item.uri.rpartition("/")[2]: helpers.marks(item.items) for item in first.items}
    assert found == {"open.py": [("EDB101", 6)], "closed.py": [("EDB101", 6)], "clean.py": []}
    known = [types.PreviousResultId(item.uri, item.result_id) for item in first.items]
    known.append(types.PreviousResultId(editor.uri("deleted.py"), "0"))
    editor.replace(uri, "import torch\n")
    second = await editor.pull_workspace(*known)
    kinds = {item.uri.rpartition("/")[2]: (item.kind, len(getattr(item, "items", ()))) for item in second.items}
    assert kinds == {
        "open.py": ("full", 0),
        "closed.py": ("unchanged", 0),
        "clean.py": ("unchanged", 0),
        "deleted.py": ("full", 0),
    }


async def test_a_file_that_says_nothing_of_torch_is_read_once_until_it_changes(
    start: Any, helpers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plain.py"
    path.write_text("x = 1\n")
    os.utime(path, (1e9, 1e9))
    editor = await start()
    seen: list[str] = []
    monkeypatch.setattr(workspace_check, "read", lambda name: seen.append(name) or file_reader.read(name))
    for _ in range(2):
        assert not (await editor.pull_workspace()).items
    assert seen == [str(path)]
    path.write_text(helpers.BRANCH)
    (item,) = (await editor.pull_workspace()).items
    assert helpers.marks(item.items) == [("EDB101", 6)]


async def test_what_was_marked_and_is_gone_is_unmarked_in_the_whole_workspace(start: Any, helpers: Any) -> None:
    editor = await start()

    async def told() -> dict[str, int]:
        report = await editor.pull_workspace()
        return {item.uri.rpartition("/")[2]: len(item.items) for item in report.items}

    uri = editor.open("never_saved.py", helpers.BRANCH)
    assert await editor.codes(uri) == [("EDB101", 6)]
    assert await told() == {"never_saved.py": 1}
    editor.close(uri)
    assert await told() == {"never_saved.py": 0}
    # Also the next time: the client may still have waited for its last answer about the document.
    assert await told() == {"never_saved.py": 0}
    editor.open("never_saved.py", helpers.BRANCH)
    assert await told() == {"never_saved.py": 1}


async def test_files_that_change_on_disk_are_read_again(start: Any, helpers: Any, tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text("def flag(x):\n    return x.sum() > 0\n")
    editor = await start()
    uri = editor.open(
        "net.py",
        helpers.BRANCH.replace("x.sum() > 0", "flag(x)").replace(
            "from torch import nn\n", "from torch import nn\nfrom helper import flag\n"
        ),
    )
    assert await editor.codes(uri) == [("EDB101", 7)]
    helper.write_text("def flag(x):\n    return x.shape[0] > 0\n")
    refreshed = len(editor.refreshed)
    event = types.FileEvent(editor.uri("helper.py"), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await editor.until(lambda: types.WORKSPACE_DIAGNOSTIC_REFRESH in editor.refreshed[refreshed:])
    assert await editor.codes(uri) == []


HELPER = "def scale(x):\n    if x.sum() > 0:\n        return x + 1\n    return x - 1\n"
CALLER = (
    "from torch import nn\nfrom layers import scale\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
    "        return scale(x)\n"
)


async def _on_disk(editor: Any, path: Path, kind: types.FileChangeType) -> None:
    change = types.FileEvent(editor.uri(path.name), kind)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    await asyncio.sleep(0)


async def test_a_helper_is_marked_for_the_closed_files_that_call_it(start: Any, tmp_path: Path) -> None:
    model = tmp_path / "model.py"
    (tmp_path / "layers.py").write_text(HELPER)
    editor = await start()
    layers = editor.open("layers.py", HELPER)
    assert await editor.codes(layers) == []  # nobody calls it
    model.write_text(CALLER)
    await _on_disk(editor, model, types.FileChangeType.Created)
    assert await editor.codes(layers) == [("EDB101", 1)]
    model.write_text(CALLER.replace("scale(x)", "scale(x) if x is None else x"))
    await _on_disk(editor, model, types.FileChangeType.Changed)
    assert await editor.codes(layers) == []
    model.write_text(CALLER)
    await _on_disk(editor, model, types.FileChangeType.Changed)
    assert await editor.codes(layers) == [("EDB101", 1)]
    model.unlink()
    await _on_disk(editor, model, types.FileChangeType.Deleted)
    assert await editor.codes(layers) == []


async def test_what_was_renamed_is_found_under_its_new_name(start: Any, tmp_path: Path) -> None:
    (tmp_path / "layers.py").write_text(HELPER)
    (tmp_path / "model.py").write_text(CALLER)
    editor = await start()
    layers = editor.open("layers.py", HELPER)
    assert await editor.codes(layers) == [("EDB101", 1)]
    editor.close(layers)
    (tmp_path / "layers.py").rename(tmp_path / "parts.py")
    renamed = types.FileRename(editor.uri("layers.py"), editor.uri("parts.py"))
    editor.client.workspace_did_rename_files(types.RenameFilesParams([renamed]))
    parts = editor.open("parts.py", HELPER)
    assert await editor.codes(parts) == []  # model.py still asks for layers
    model = editor.open("model.py", CALLER.replace("layers", "parts"))
    assert await editor.codes(parts) == [("EDB101", 1)]
    (tmp_path / "parts.py").unlink()
    editor.close(parts)
    editor.client.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(editor.uri("parts.py"))]))
    assert await editor.codes(model) == []


@pytest.mark.parametrize("client", ["pulls", "is pushed"])
async def test_the_work_of_a_session_grows_with_the_number_of_its_documents(
    start: Any, helpers: Any, tmp_path: Path, client: str
) -> None:
    count = 0

    def called(frame: Any, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    async def work_of(documents: int) -> int:
        nonlocal count
        (tmp_path / str(documents)).mkdir()
        capabilities = helpers.without() if client == "pulls" else helpers.without("textDocument.diagnostic")
        editor = await start(capabilities, root=tmp_path / str(documents))
        uris = [editor.uri(f"net{number}.py") for number in range(documents)]

        async def known(uri: str, found: bool) -> None:
            if client == "pulls":
                assert bool(await editor.codes(uri)) is found
            else:
                await editor.until_pushed(uri, lambda pushed: bool(pushed.diagnostics) is found)

        await known(editor.open("first.py", helpers.BRANCH), True)
        before = count
        for uri in uris:
            editor.open(uri, helpers.BRANCH)
            await known(uri, True)
        for uri in uris:
            editor.replace(uri, helpers.BRANCH.replace("if x.sum() > 0", "if x is None"))
        for uri in uris:
            await known(uri, False)
        for uri in uris:
            editor.close(uri)
        await editor.command("exportdb.status")
        return count - before

    threading.setprofile(called)
    try:
        few, many = await work_of(30), await work_of(120)
    finally:
        threading.setprofile(None)
    assert many < 5 * few
