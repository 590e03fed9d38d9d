"""Settings: of the project and of the client, for every folder its own, and wrong ones told where they stand."""

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types


def branch_folder(tmp_path: Path, name: str, pyproject: str | None) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    if pyproject is not None:
        (folder / "pyproject.toml").write_text(pyproject)
    return folder


async def test_every_folder_has_its_own_settings(start: Any, helpers: Any, tmp_path: Path) -> None:
    quiet = branch_folder(tmp_path, "quiet", '[tool.exportdb]\nignore = ["EDB101"]\n')
    loud = branch_folder(tmp_path, "loud", None)
    editor = await start(folders=[quiet, loud])
    silent = editor.open("quiet/net.py", helpers.BRANCH)
    marked = editor.open("loud/net.py", helpers.BRANCH)
    assert await editor.codes(silent) == []
    assert await editor.codes(marked) == [("EDB101", 6)]
    # The client's word for one folder stands above its pyproject.toml.
    editor.client.set_configuration({"exportdb": {"ignore": []}}, scope_uri=editor.uri("quiet"))
    editor.client.set_configuration({"exportdb": {"ignore": ["tensor-branch"]}}, scope_uri=editor.uri("loud"))
    seen = len(editor.refreshed)
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await editor.until(lambda: types.WORKSPACE_DIAGNOSTIC_REFRESH in editor.refreshed[seen:])
    assert await editor.codes(silent) == [("EDB101", 6)]
    assert await editor.codes(marked) == []


async def test_the_goal_of_a_project_marks_what_its_tool_refuses(start: Any, helpers: Any, tmp_path: Path) -> None:
    folder = branch_folder(tmp_path, "goal", '[tool.exportdb]\nto = ["onnx"]\n')
    editor = await start(folders=[folder])
    opened = editor.open("goal/net.py", helpers.BRANCH.replace("x.sum() > 0", "torch.linalg.inv(x) is None"))
    assert [code for code, _ in await editor.codes(opened)] == ["EDB1001"]


async def test_what_is_taken_back_holds_no_longer(start: Any, helpers: Any) -> None:
    editor = await start(settings={"ignore": ["EDB101"]})
    uri = editor.open("net.py", helpers.BRANCH)
    assert await editor.codes(uri) == []
    for scope in ({}, {"scope_uri": editor.uri(".")}):
        editor.client.set_configuration({"exportdb": {}}, **scope)
    seen = len(editor.refreshed)
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await editor.until(lambda: types.WORKSPACE_DIAGNOSTIC_REFRESH in editor.refreshed[seen:])
    assert await editor.codes(uri) == [("EDB101", 6)]


async def test_the_status_follows_the_interpreter_of_each_folder(start: Any, tmp_path: Path) -> None:
    bare = tmp_path / "python-without-torch"
    bare.write_text("")
    folders = [branch_folder(tmp_path, name, None) for name in ("one", "two")]
    editor = await start(folders=folders)
    before = await editor.command("exportdb.status", {"uri": editor.uri("two/net.py")})
    assert before["torch"] is not None
    editor.client.set_configuration({"exportdb": {"interpreter": str(bare)}}, scope_uri=editor.uri("two"))
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))

    async def told() -> dict[str, Any]:
        # The server asks for the settings of each folder; what it said at the start may still be on its way.
        while True:
            two = await editor.command("exportdb.status", {"uri": editor.uri("two/net.py")})
            if two["interpreter"] == str(bare):
                return two
            await asyncio.sleep(0.05)

    two = await editor.within(told())
    assert (two["interpreter"], two["torch"]) == (str(bare), None)
    assert await editor.command("exportdb.status") == before


async def test_settings_sent_with_the_notification_are_taken_from_clients_without_the_request(
    start: Any, helpers: Any
) -> None:
    editor = await start(helpers.without("workspace.configuration", "textDocument.diagnostic"))
    uri = editor.open("net.py", helpers.BRANCH)
    await editor.until_pushed(uri, lambda p: p.diagnostics)
    settings = {"exportdb": {"ignore": ["EDB1"]}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    await editor.until_pushed(uri, lambda p: not p.diagnostics)


async def test_settings_of_the_first_message_hold(start: Any, helpers: Any) -> None:
    editor = await start(helpers.without("workspace.configuration"), options={"exportdb": {"ignore": ["EDB101"]}})
    uri = editor.open("net.py", helpers.BRANCH)
    assert await editor.codes(uri) == []


async def test_a_wrong_setting_of_the_project_is_marked_in_its_file(start: Any, helpers: Any, tmp_path: Path) -> None:
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text('[tool.exportdb]\nmode = "sloppy"\ncolour = 1\n')
    editor = await start()
    editor.open("net.py", helpers.BRANCH)
    uri = editor.uri("pyproject.toml")
    pushed = await editor.until_pushed(uri, lambda p: p.diagnostics)
    assert [(d.range.start.line, d.source) for d in pushed.diagnostics] == [(1, "exportdb"), (2, "exportdb")]
    pyproject.write_text("[tool.exportdb]\n")
    event = types.FileEvent(uri, types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await editor.until_pushed(uri, lambda p: not p.diagnostics)


async def test_a_mark_in_a_pyproject_goes_though_nothing_of_its_project_is_open_any_more(
    start: Any, helpers: Any, tmp_path: Path
) -> None:
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text('[tool.exportdb]\nmode = "sloppy"\n')
    editor = await start()
    model = editor.open("net.py", helpers.BRANCH)
    uri = editor.uri("pyproject.toml")
    await editor.until_pushed(uri, lambda p: p.diagnostics)
    editor.close(model)
    pyproject.write_text("[tool.exportdb]\n")
    event = types.FileEvent(uri, types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await editor.until_pushed(uri, lambda p: not p.diagnostics)


async def test_a_wrong_setting_of_the_client_is_told_once(start: Any, helpers: Any) -> None:
    editor = await start(settings={"mode": "sloppy", "trace": {"server": "off"}})
    uri = editor.open("net.py", helpers.BRANCH)
    assert await editor.codes(uri) == [("EDB101", 6)]
    await editor.until(lambda: editor.client.messages)
    assert ["exportdb.mode: must be" in m.message for m in editor.client.messages] == [True]


async def test_the_server_asks_to_be_told_of_files_and_settings(start: Any, helpers: Any) -> None:
    editor = await start()
    await editor.until(lambda: len(editor.registered) == 2)
    assert {r.method for r in editor.registered} == {
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
    }


async def test_a_client_without_dynamic_registration_is_not_asked(start: Any, helpers: Any) -> None:
    taken = ("workspace.didChangeWatchedFiles", "workspace.didChangeConfiguration")
    editor = await start(helpers.without(*taken))
    uri = editor.open("net.py", helpers.BRANCH)
    assert await editor.codes(uri) == [("EDB101", 6)]
    assert editor.registered == []
    assert editor.started.capabilities.workspace.file_operations.did_rename is not None
