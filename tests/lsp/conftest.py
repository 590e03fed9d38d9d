"""A client of the language server: it opens texts and asks."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from exportdb_lsp.lsp.server import ExportServer, create
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.uris import from_fs_path
from pytest_lsp import LanguageClient, make_test_lsp_client

# Nothing here is timed; this only keeps a test of a server that does not answer from hanging.
PATIENCE = 120

BRANCH = """\
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1
"""

# What every editor of today can do; tests take away what they want to be without.
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True},
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "fileOperations": {"didRename": True, "didDelete": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "diagnostic": {"relatedDocumentSupport": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}},
            "isPreferredSupport": True,
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "codeLens": {},
        "inlayHint": {},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
    "notebookDocument": {"synchronization": {}},
}


def without(*paths: str) -> dict[str, Any]:
    """The capabilities of a client that has none of those."""
    capabilities = deepcopy(CAPABILITIES)
    for path in paths:
        *above, last = path.split(".")
        at = capabilities
        for name in above:
            at = at[name]
        del at[last]
    return capabilities


class Editor:
    """One session. URIs are made from names of files in the workspace folder."""

    def __init__(
        self, client: LanguageClient, root: Path, started: types.InitializeResult, server: ExportServer
    ) -> None:
        self.client = client
        self.server = server
        """The other side, in another thread: to hold it up, and to break it."""
        self.root = root
        self.started = started
        self.pushed: list[types.PublishDiagnosticsParams] = []
        self.applied: list[types.ApplyWorkspaceEditParams] = []
        self.registered: list[types.Registration] = []
        self.refreshed: list[str] = []
        self.status: list[Any] = []
        self.traced: list[types.LogTraceParams] = []
        self.errors_expected = 0
        self._versions: dict[str, int] = {}

    def uri(self, name: str) -> str:
        return name if ":" in name else from_fs_path(str(self.root / name)) or ""

    def open(self, name: str, text: str, language: str = "python") -> str:
        uri = self.uri(name)
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, *changes: types.TextDocumentContentChangeEvent) -> int:
        self._versions[uri] = version = self._versions.get(uri, 0) + 1
        document = types.VersionedTextDocumentIdentifier(version=version, uri=uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, list(changes)))
        return version

    def replace(self, uri: str, text: str) -> int:
        return self.change(uri, types.TextDocumentContentChangeWholeDocument(text))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def pull(self, uri: str, previous: str | None = None) -> Any:
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=previous)
        return await self.within(self.client.text_document_diagnostic_async(params))

    async def codes(self, uri: str) -> list[tuple[str, int]]:
        """What a pull says: the codes and their lines, from 0."""
        return marks((await self.pull(uri)).items)

    async def pull_workspace(self, *previous: types.PreviousResultId) -> Any:
        params = types.WorkspaceDiagnosticParams(list(previous))
        return await self.within(self.client.workspace_diagnostic_async(params))

    async def lenses(self, uri: str) -> list[str]:
        """The titles of the lenses of a document."""
        params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
        found = await self.within(self.client.text_document_code_lens_async(params))
        return [lens.command.title for lens in found or []]

    async def hover(self, uri: str, line: int, character: int) -> types.MarkupContent | None:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = await self.within(self.client.text_document_hover_async(params))
        return found.contents if found is not None else None

    async def until_pushed(self, uri: str, wanted: Any) -> types.PublishDiagnosticsParams:
        """The first push from now on, or the last before, for which `wanted` holds."""

        def last() -> types.PublishDiagnosticsParams | None:
            found = [p for p in self.pushed if p.uri == uri]
            return found[-1] if found and wanted(found[-1]) else None

        await self.until(lambda: last() is not None)
        found = last()
        assert found is not None
        return found

    async def until(self, holds: Any) -> None:
        async def wait() -> None:
            while not holds():
                await asyncio.sleep(0.01)

        await asyncio.wait_for(wait(), PATIENCE)

    async def actions(
        self, uri: str, line: int, character: int = 0, *only: str, diagnostics: list[types.Diagnostic] | None = None
    ) -> list[types.CodeAction]:
        place = types.Position(line, character)
        context = types.CodeActionContext(diagnostics or [], only=list(only) or None)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(place, place), context)
        found = await self.within(self.client.text_document_code_action_async(params))
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    async def resolved(self, action: types.CodeAction) -> types.CodeAction:
        return await self.within(self.client.code_action_resolve_async(action))

    async def command(self, name: str, argument: dict[str, Any] | None = None, token: str | None = None) -> Any:
        arguments = [argument] if argument is not None else None
        params = types.ExecuteCommandParams(name, arguments, work_done_token=token)
        return plain(await self.within(self.client.workspace_execute_command_async(params)))

    async def ask(self, method: str, params: Any, number: str | None = None) -> asyncio.Task[Any]:
        """Send a request now, and wait for its answer later."""
        asking = asyncio.ensure_future(self.client.protocol.send_request_async(method, params, msg_id=number))
        await asyncio.sleep(0)
        return asking

    async def within(self, asking: Any) -> Any:
        return await asyncio.wait_for(asking, PATIENCE)

    @contextmanager
    def held(self) -> Iterator[None]:
        """While this lasts, the analyser gets to nothing that it was not asked before."""
        go_on = threading.Event()
        self.server.analysis._quick.lane.submit(go_on.wait)
        try:
            yield
        finally:
            go_on.set()


def plain(answer: Any) -> Any:
    """An answer without types, as JSON has it: pygls makes objects of what the protocol leaves open."""
    if hasattr(answer, "_asdict"):
        return {key: plain(value) for key, value in answer._asdict().items()}
    if isinstance(answer, (list, tuple)):
        return [plain(value) for value in answer]
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items()}
    return answer


def marks(items: Any) -> list[tuple[str, int]]:
    return sorted((str(item.code), item.range.start.line) for item in items)


def edited(text: str, edit: types.WorkspaceEdit | None, uri: str) -> str:
    """The text after an edit, positions in code points (tests of other units say so)."""
    assert edit is not None
    edits: list[types.TextEdit] = []
    for change in edit.document_changes or []:
        if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == uri:
            edits += [e for e in change.edits if isinstance(e, types.TextEdit)]
    edits += list((edit.changes or {}).get(uri, []))
    for one in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        begin = starts[one.range.start.line] + one.range.start.character
        end = starts[one.range.end.line] + one.range.end.character
        text = text[:begin] + one.new_text + text[end:]
    return text


@pytest.fixture
def helpers() -> Any:
    """The functions of this file, for tests."""

    class Helpers:
        BRANCH = BRANCH
        CAPABILITIES = CAPABILITIES
        without = staticmethod(without)
        marks = staticmethod(marks)
        plain = staticmethod(plain)
        edited = staticmethod(edited)

    return Helpers


@pytest_asyncio.fixture
async def start(tmp_path: Path, lent_workers: None) -> Any:
    """Starts sessions; they are shut down, and must end well, when the test ends."""
    async with AsyncExitStack() as stack:

        async def start(
            capabilities: dict[str, Any] | None = None,
            *,
            root: Path | None = None,
            folders: list[Path] | None = None,
            options: Any = None,
            settings: dict[str, Any] | None = None,
            trace: types.TraceValue | None = None,
            root_path: str | None = None,
        ) -> Editor:
            client = make_test_lsp_client()
            server, thread = _serve()
            await client.start_tcp("127.0.0.1", server.port)
            root = root or tmp_path
            holder: list[Editor] = []
            _listen(client, holder)
            if settings is not None:
                client.set_configuration({"exportdb": settings})
            given = get_converter().structure(capabilities or CAPABILITIES, types.ClientCapabilities)
            at = [root] if folders is None else folders
            params = types.InitializeParams(
                capabilities=given,
                root_uri=from_fs_path(str(root)) if root_path is None else None,
                root_path=root_path,
                workspace_folders=[types.WorkspaceFolder(from_fs_path(str(f)) or "", f.name) for f in at] or None,
                initialization_options=options,
                trace=trace,
            )
            editor = Editor(client, root, types.InitializeResult(types.ServerCapabilities()), server.server)
            holder.append(editor)
            stack.push_async_callback(_end, editor, server, thread)
            editor.started = await asyncio.wait_for(client.initialize_session(params), PATIENCE)
            return editor

        yield start


class _Served:
    """The server in a thread of this process, over a socket: it starts at once. `test_program.py` starts the program."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.server = create()
        self.code: int | None = None

    def run(self) -> None:
        connection, _ = self.listener.accept()
        self.listener.close()
        self.code = self.server.run(connection.makefile("rb"), connection.makefile("wb"))
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()


def _serve() -> tuple[_Served, threading.Thread]:
    served = _Served()
    thread = threading.Thread(target=served.run, daemon=True)
    thread.start()
    return served, thread


async def _end(editor: Editor, served: _Served, thread: threading.Thread) -> None:
    client = editor.client
    await asyncio.wait_for(client.shutdown_session(), PATIENCE)
    await asyncio.to_thread(thread.join, PATIENCE)
    assert served.code == 0
    # What the server asked for with its last breath is answered to nobody.
    with suppress(ConnectionError):
        await client.stop()
    errors = [m.message for m in client.log_messages if m.type is types.MessageType.Error]
    assert len(errors) == editor.errors_expected, errors


def _listen(client: LanguageClient, holder: list[Editor]) -> None:
    def on(method: str) -> Any:
        def replace(function: Any) -> Any:
            client.protocol.fm._features.pop(method, None)
            return client.feature(method)(function)

        return replace

    @on(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: types.PublishDiagnosticsParams) -> None:
        holder[0].pushed.append(params)

    @on(types.WORKSPACE_APPLY_EDIT)
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        holder[0].applied.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    @on(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        holder[0].registered.extend(params.registrations)

    for method in (
        types.WORKSPACE_DIAGNOSTIC_REFRESH,
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.WORKSPACE_INLAY_HINT_REFRESH,
    ):

        @on(method)
        def refresh(params: None, method: str = method) -> None:
            holder[0].refreshed.append(method)

    @on(types.LOG_TRACE)
    def traced(params: types.LogTraceParams) -> None:
        holder[0].traced.append(params)

    @on("exportdb/status")
    def status(params: Any) -> None:
        holder[0].status.append(plain(params))
