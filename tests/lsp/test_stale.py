"""Never stale, never in the way: what is asked of a text is answered for it or dropped, and nothing takes the server down."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.lsp import diagnostics
from exportdb_rules import engine
from lsprotocol import types
from pygls.exceptions import JsonRpcException


async def test_who_asked_about_a_text_that_is_gone_is_told_to_ask_again(start: Any, helpers: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    document = types.TextDocumentIdentifier(uri)
    place = types.Position(6, 12)
    here = types.Range(place, place)
    with editor.held():
        pulled = await editor.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, types.DocumentDiagnosticParams(document))
        others = [
            await editor.ask(types.TEXT_DOCUMENT_HOVER, types.HoverParams(document, place)),
            await editor.ask(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(document)),
            await editor.ask(
                types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionParams(document, here, types.CodeActionContext([]))
            ),
        ]
        editor.replace(uri, "\n" + helpers.BRANCH)
        await editor.command("exportdb.status")  # the edit has arrived
    with pytest.raises(JsonRpcException) as cancelled:
        await editor.within(pulled)
    # ServerCancelled, and the client is to ask again by itself.
    assert (cancelled.value.code, cancelled.value.data["retriggerRequest"]) == (-32802, True)
    for other in others:
        with pytest.raises(JsonRpcException) as modified:
            await editor.within(other)
        assert modified.value.code == -32801
    assert await editor.codes(uri) == [("EDB101", 7)]


async def test_a_check_stops_when_its_text_is_gone(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "import torch\nfrom torch import nn\n"
    one = "\n\nclass Net{}(nn.Module):\n    def forward(self, x):\n        if x.sum() > 0:\n            return x + 1\n        return x\n"
    text = head + "".join(one.format(i) for i in range(30))
    editor = await start()
    uri = editor.uri("net.py")
    entered: list[str] = []
    run_entry = engine.run_entry

    def slowly(run: Any, entry: Any) -> Any:
        entered.append(entry.name)
        if len(entered) == 3:
            # While this goes on somebody types: the loop has the new text before the check is through.
            asyncio.run_coroutine_threadsafe(typed(), loop).result(60)
        return run_entry(run, entry)

    async def typed() -> None:
        editor.replace(uri, text + "\n# typed\n")
        await editor.command("exportdb.status")

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(engine, "run_entry", slowly)
    editor.open("net.py", text)
    with pytest.raises(JsonRpcException) as cancelled:
        await editor.pull(uri)
    assert cancelled.value.code == -32802
    assert len(entered) == 3
    # And what the check left behind is no harm to the next.
    assert await editor.codes(uri) == [("EDB101", 6 + 7 * i) for i in range(30)]


async def test_who_types_without_a_pause_is_pushed_the_last_text(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("textDocument.diagnostic"))
    uri = editor.open("net.py", helpers.BRANCH)
    await editor.until_pushed(uri, lambda p: p.diagnostics)
    seen = len(editor.pushed)
    for number in range(40):
        last = editor.replace(uri, "\n" * (number + 1) + helpers.BRANCH)
    pushed = await editor.until_pushed(uri, lambda p: p.version == last)
    assert helpers.marks(pushed.diagnostics) == [("EDB101", 46)]
    for said in editor.pushed[seen:]:
        # Whatever came in between was about the text whose version it names.
        assert helpers.marks(said.diagnostics) == [("EDB101", 4 + said.version + 1)]
    assert len(editor.pushed) - seen < 40


async def test_a_document_that_is_closed_between_its_answer_and_the_push_stays_unmarked(
    start: Any, helpers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = await start(helpers.without("textDocument.diagnostic"))
    one, two = editor.open("one.py", helpers.BRANCH), editor.open("two.py", helpers.BRANCH)
    for uri in (one, two):
        await editor.until_pushed(uri, lambda p: p.diagnostics)
    diagnostics_of = diagnostics.diagnostics_of

    async def late(server: Any, snapshot: Any) -> Any:
        found = await diagnostics_of(server, snapshot)
        if snapshot.uri == two:
            # What an edit of the one says of the other is ready; before it is sent the other is closed.
            while server.documents.document(two) is not None:
                await asyncio.sleep(0.01)
            monkeypatch.undo()
        return found

    monkeypatch.setattr(diagnostics, "diagnostics_of", late)
    version = editor.replace(one, "\n" + helpers.BRANCH)
    await editor.until_pushed(one, lambda p: p.version == version)
    editor.close(two)
    await editor.until_pushed(two, lambda p: not p.diagnostics)
    version = editor.replace(one, helpers.BRANCH)
    await editor.until_pushed(one, lambda p: p.version == version)
    assert [bool(p.diagnostics) for p in editor.pushed if p.uri == two] == [True, False]


async def test_a_crash_of_the_analyser_costs_one_answer(
    start: Any, helpers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = await start()
    broken, fine = editor.open("broken.py", helpers.BRANCH), editor.open("fine.py", helpers.BRANCH)
    check = engine.check

    def crash(project: Any, filename: str, *rest: Any, **named: Any) -> Any:
        if filename.endswith("broken.py"):
            raise RuntimeError("out of luck")
        return check(project, filename, *rest, **named)

    monkeypatch.setattr(engine, "check", crash)
    (mark,) = (await editor.pull(broken)).items
    assert mark.message == "this file cannot be checked: RuntimeError: out of luck"
    assert mark.severity is types.DiagnosticSeverity.Information
    assert await editor.codes(fine) == [("EDB101", 6)]
    editor.errors_expected = 1
    monkeypatch.undo()
    editor.replace(broken, helpers.BRANCH + "\n")
    assert await editor.codes(broken) == [("EDB101", 6)]


async def test_a_storm_of_renames_is_one_refresh(start: Any, helpers: Any, tmp_path: Path) -> None:
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    await editor.pull(uri)
    await editor.until(lambda: types.WORKSPACE_DIAGNOSTIC_REFRESH in editor.refreshed)
    seen = len(editor.refreshed)
    for number in range(300):
        names = [editor.uri(f"part{number + i}.py") for i in (0, 1)]
        editor.client.workspace_did_rename_files(types.RenameFilesParams([types.FileRename(*names)]))
        events = [types.FileEvent(names[0], types.FileChangeType.Deleted)]
        events.append(types.FileEvent(names[1], types.FileChangeType.Created))
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    await editor.until(lambda: types.WORKSPACE_DIAGNOSTIC_REFRESH in editor.refreshed[seen:])
    assert await editor.codes(uri) == [("EDB101", 6)]
    assert editor.refreshed[seen:].count(types.WORKSPACE_DIAGNOSTIC_REFRESH) < 10


async def test_a_file_that_is_deleted_while_it_is_open_is_still_checked(
    start: Any, helpers: Any, tmp_path: Path
) -> None:
    path = tmp_path / "net.py"
    path.write_text(helpers.BRANCH)
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    path.unlink()
    event = types.FileEvent(uri, types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert await editor.codes(uri) == [("EDB101", 6)]
    editor.close(uri)
    report = await editor.pull_workspace()
    # It was marked before: the client must hear that nothing of it is left.
    assert [found for item in report.items for found in getattr(item, "items", ())] == []


TYPED = """
    def again(self, x):
        while x.max() < 3:
            x = self.forward(x, [1, (2, "three")])
        return {"é😀": x}
"""


async def test_nothing_jumps_while_a_method_is_typed(start: Any, helpers: Any) -> None:
    editor = await start()
    other = helpers.BRANCH.partition("\n\n\n")[2].replace("Net", "Other")
    text = f"{helpers.BRANCH}\n\n{other}"
    uri = editor.open("net.py", text)
    line, character = helpers.BRANCH.count("\n"), 0
    for count, typed in enumerate(TYPED.strip("\n"), 1):
        place = types.Position(line, character)
        insert = types.TextDocumentContentChangePartial(range=types.Range(place, place), text=typed)
        editor.change(uri, insert)
        if typed == "\n":
            line, character = line + 1, 0
        else:
            character += len(typed.encode("utf-16-le")) // 2
        found = await editor.codes(uri)
        below = 13 + line - helpers.BRANCH.count("\n")
        missing = {("EDB101", 6), ("EDB101", below)} - set(found)
        assert not missing, f"after {TYPED.strip(chr(10))[:count]!r}: {found}"
        inside = [row for code, row in found if code.startswith("EDB") and row not in (6, below)]
        assert all(helpers.BRANCH.count("\n") <= row <= line for row in inside), found
