"""A storm: 10,000 random edits of 20 open files, with requests and cancels between them.

Afterwards the server says of every file what a fresh check of the final texts says, has grown by less than a tenth since
it was half over, and has logged no error. `EXPORTDB_STORM_EDITS` sets another number of edits.
"""

import asyncio
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from exportdb_cases.collection import Case, all_cases
from exportdb_lsp.interpreter import package_folders
from exportdb_rules.engine import Project, Settings, check
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException
from pygls.uris import from_fs_path
from pytest_lsp import LanguageClient, make_test_lsp_client

EDITS = int(os.environ.get("EXPORTDB_STORM_EDITS", "10000"))
FILES = 20
PATIENCE = 180
# What people type, half of it unfinished.
SNIPPETS = (
    "\n", "    ", "x", ")", "(", ":", "if x.sum() > 0:\n            x = x + 1\n        ", "# exportdb: ignore[EDB101]\n",
    "x.item()", "self.n = 1\n        ", "return x\n", "😀", '"""', "def f(x):\n    return x\n", "import torch\n", "\t", "\r\n", "é",
)  # fmt: skip


class Text:
    """A document as the client has it, in UTF-16 units."""

    def __init__(self, uri: str, text: str) -> None:
        self.uri = uri
        self.text = text
        self.version = 1

    def place(self, offset: int) -> types.Position:
        before = self.text[:offset].replace("\r\n", "\n").split("\n")
        return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)

    def edit(self, rng: random.Random) -> types.TextDocumentContentChangePartial:
        """Insert, delete or replace something."""
        start = rng.randrange(len(self.text) + 1)
        end = min(len(self.text), start + rng.choice((0, 0, 0, 1, 1, 5, 40)))
        if self.text[start - 1 : start + 1] == "\r\n":
            start -= 1  # no position lies inside a line end
        if self.text[end - 1 : end + 1] == "\r\n":
            end += 1
        new = "" if end > start and rng.random() < 0.5 else rng.choice(SNIPPETS)
        if new.startswith("\n") and self.text[start - 1 : start] == "\r":
            new = "x" + new
        span = types.Range(self.place(start), self.place(end))
        self.text = self.text[:start] + new + self.text[end:]
        self.version += 1
        return types.TextDocumentContentChangePartial(span, new)


@pytest.fixture
async def client(tmp_path: Path) -> Any:
    """The program over stdio, initialized for a workspace."""
    client = make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "exportdb_lsp", "--stdio")
    capabilities = get_converter().structure(
        {
            "general": {"positionEncodings": ["utf-16"]},
            "textDocument": {"diagnostic": {}, "hover": {}, "codeAction": {}},
        },
        types.ClientCapabilities,
    )
    root = from_fs_path(str(tmp_path)) or ""
    folder = types.WorkspaceFolder(root, "storm")
    params = types.InitializeParams(capabilities=capabilities, root_uri=root, workspace_folders=[folder])
    await asyncio.wait_for(client.initialize_session(params), PATIENCE)
    yield client
    await asyncio.wait_for(client.shutdown_session(), PATIENCE)
    await client.stop()


def resident(pid: int) -> int:
    """Kilobytes that a process has allocated and uses.

    Pages of files are left out: the system takes them away while other programs need memory, and puts them back.
    """
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("RssAnon:")).split()[1])


def _request(rng: random.Random, text: Text) -> tuple[str, Any]:
    document = types.TextDocumentIdentifier(text.uri)
    place = text.place(rng.randrange(len(text.text) + 1))
    return rng.choice(
        (
            (types.TEXT_DOCUMENT_DIAGNOSTIC, types.DocumentDiagnosticParams(document)),
            (types.TEXT_DOCUMENT_HOVER, types.HoverParams(document, place)),
            (types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(document)),
            (
                types.TEXT_DOCUMENT_CODE_ACTION,
                types.CodeActionParams(document, types.Range(place, place), types.CodeActionContext([])),
            ),
        )
    )


async def _answered(asked: list[Any]) -> None:
    """Wait for the answers; being told that the text has changed, or that it was cancelled, is one."""
    for answer in await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), PATIENCE):
        if isinstance(answer, BaseException):
            assert isinstance(answer, (JsonRpcException, asyncio.CancelledError)), answer


async def _as_fresh(client: LanguageClient, texts: list[Text], folder: Path, chosen: list[Case]) -> None:
    """What the server finds in each text as it is now is what a fresh check of it finds."""
    said: dict[str, list[tuple[str, int]]] = {}
    for text in texts:
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(text.uri))
        report = await asyncio.wait_for(client.text_document_diagnostic_async(params), PATIENCE)
        said[text.uri] = sorted((str(m.code), m.range.start.line + 1) for m in report.items)  # type: ignore[union-attr]
    project, settings = Project(folder), Settings(packages=package_folders(sys.executable))
    filenames = [str(folder / f"{case.name}.py") for case in chosen]
    for filename, text in zip(filenames, texts, strict=True):
        project.set_text(filename, text.text)
    for filename, text in zip(filenames, texts, strict=True):
        report = check(project, filename, settings)
        expected = sorted((f.code, f.span.start.row) for f in report.findings)
        assert [mark for mark in said[text.uri] if mark[0].startswith("EDB")] == expected, filename


async def _load_all(client: LanguageClient, texts: list[Text]) -> None:
    """Have the server answer about each finding, so that what is loaded for the first of an answer is there: the support
    matrix of a hover alone takes six megabytes, and who draws requests may draw the first one late.
    """
    for text in texts:
        document = types.TextDocumentIdentifier(text.uri)
        report = await asyncio.wait_for(
            client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document)), PATIENCE
        )
        await client.text_document_code_lens_async(types.CodeLensParams(document))
        for found in report.items:  # type: ignore[union-attr]
            await client.text_document_hover_async(types.HoverParams(document, found.range.start))
            context = types.CodeActionContext([found])
            await client.text_document_code_action_async(types.CodeActionParams(document, found.range, context))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.xdist_group("storm")
async def test_a_storm_of_edits_leaves_the_server_as_fresh(client: LanguageClient, tmp_path: Path) -> None:
    rng = random.Random(7)
    chosen = rng.sample([case for case in all_cases() if case.family != "custom_operators"], FILES)
    texts = [
        Text(from_fs_path(str(tmp_path / f"{c.name}.py")) or "", c.path.read_text(encoding="utf-8")) for c in chosen
    ]
    originals = [text.text for text in texts]

    def open_text(text: Text) -> None:
        item = types.TextDocumentItem(text.uri, "python", text.version, text.text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    for text in texts:
        open_text(text)
    await _load_all(client, texts)
    pid = client._server.pid  # type: ignore[union-attr]
    asked: list[Any] = []
    young = 0
    for number in range(EDITS):
        index = rng.randrange(FILES)
        text = texts[index]
        document = types.VersionedTextDocumentIdentifier(version=0, uri=text.uri)
        if rng.random() < 0.02:
            # Somebody takes everything back, so that texts stay texts.
            text.text, text.version = originals[index], text.version + 1
            change: Any = types.TextDocumentContentChangeWholeDocument(text.text)
        else:
            change = text.edit(rng)
        document.version = text.version
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        if rng.random() < 0.03:
            method, params = _request(rng, text)
            asked.append(asyncio.ensure_future(client.protocol.send_request_async(method, params, msg_id=f"s{number}")))
            if rng.random() < 0.3:
                await asyncio.sleep(0)
                client.cancel_request(types.CancelParams(f"s{number}"))
        if rng.random() < 0.005:
            client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(text.uri)))
            open_text(text)
        if number % 4 == 0:
            # So that as many texts are analyzed on a slow machine as on a fast one, which may pass over most of them.
            params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(text.uri))
            await asyncio.wait_for(client.text_document_diagnostic_async(params), PATIENCE)
        if len(asked) >= 20:
            await _answered(asked)
            asked.clear()
        if number % max(EDITS // 8, 1) == 0:
            await _as_fresh(client, texts, tmp_path, chosen)
            if number <= EDITS // 2:
                young = resident(pid)
    await _answered(asked)
    await _as_fresh(client, texts, tmp_path, chosen)
    old = resident(pid)
    assert old < 1.1 * young, f"{young} kB became {old}"
    assert [m.message for m in client.log_messages if m.type is types.MessageType.Error] == []
