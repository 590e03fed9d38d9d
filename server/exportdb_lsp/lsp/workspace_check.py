"""Checking files that nobody opened: workspace/diagnostic and the command `exportdb.checkWorkspace`."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.finding import Problem
from lsprotocol import types

from exportdb_lsp.files.names import problem_line
from exportdb_lsp.lsp.analysis import Superseded
from exportdb_lsp.lsp.diagnostics import diagnostics_in, diagnostics_of, result_id
from exportdb_lsp.lsp.documents import DocumentPart, Snapshot, uri_key, uri_of
from exportdb_lsp.lsp.file_reader import read
from exportdb_lsp.lsp.positions import LineIndex
from exportdb_lsp.lsp.progress import Task

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)

# More files than this are a tree of packages, not somebody's models.
MAX_FILES: Final = 5000
_SLICE: Final = 20


def register(server: ExportServer) -> None:
    """workspace/diagnostic."""

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def pull(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        await server.configured()
        before = {uri_key(known.uri): known for known in params.previous_result_ids}
        found: list[types.WorkspaceDocumentDiagnosticReport] = []
        waiting: list[types.WorkspaceDocumentDiagnosticReport] = []
        token = params.partial_result_token
        seen: set[str] = set()
        async for uri, version, items in everything(server):
            seen.add(uri_key(uri))
            identity = result_id(items)
            report: types.WorkspaceDocumentDiagnosticReport
            known = before.pop(uri_key(uri), None)
            if known is not None and known.value == identity:
                report = types.WorkspaceUnchangedDocumentDiagnosticReport(uri, identity, version=version)
            else:
                report = types.WorkspaceFullDocumentDiagnosticReport(uri, items, version=version, result_id=identity)
            (found if token is None else waiting).append(report)
            if token is not None and len(waiting) >= _SLICE:
                server.progress(types.ProgressParams(token, types.WorkspaceDiagnosticReportPartialResult(waiting)))
                waiting = []
        # What the client still has and is no file any more.
        left = dict.fromkeys([*(known.uri for known in before.values()), *server.publisher.left_behind(seen)])
        gone = [types.WorkspaceFullDocumentDiagnosticReport(uri, [], version=None) for uri in left]
        return types.WorkspaceDiagnosticReport([*found, *waiting, *gone])


async def everything(server: ExportServer) -> AsyncIterator[tuple[str, int | None, list[types.Diagnostic]]]:
    """The diagnostics of every document that is open and of every Python file of the workspace, file by file."""
    seen: set[str] = set()
    for snapshot in server.documents.snapshots():
        seen.add(snapshot.filename)
        try:
            found = await diagnostics_of(server, snapshot)
        except Superseded:
            continue
        for part in snapshot.parts:
            yield part.uri, part.version, found[part.uri]
    for path in await files(server):
        filename = str(path)
        if filename not in seen and not server.analysis.is_open(filename):
            items = await closed_marks(server, filename)
            if items is not None:
                yield uri_of(filename), None, items


async def closed_marks(server: ExportServer, filename: str) -> list[types.Diagnostic] | None:
    """The diagnostics of a file on disk; None if it cannot be read or says nothing of torch."""
    # Editors ask for the whole workspace every few seconds: most of its files need not be read again for it.
    signature = server.disk.signature(filename)
    if signature is not None and server.files_without_torch.get(filename) == signature:
        return None
    text = await server.analysis.run(lambda: read(filename))
    if text is None or "torch" not in text:
        if signature is not None:
            server.files_without_torch[filename] = signature
        return None
    place = server.place(filename)
    report = await server.analysis.report(place.root, filename, None, place.engine)
    uri = uri_of(filename)
    part = DocumentPart(uri, None, 1, len(LineIndex(text)))
    snapshot = Snapshot(uri, filename, 0, text, (part,), server.documents.encoding)
    server.publisher.asked_for(filename)
    return diagnostics_in(server, snapshot, report)[uri]


async def files(server: ExportServer) -> list[Path]:
    """The Python files of all workspace folders, without what .gitignore and the projects leave out."""
    # Settings are read here: the thread that walks must not.
    excluded = {
        Path(os.path.abspath(folder)): server.place(str(folder / "model.py")).user.exclude
        for folder in server.configuration.folders
    }

    def walk() -> list[Path]:
        from exportdb_lsp.files.walk import find_files

        problems: list[Problem] = []
        found = find_files(list(excluded), problems, lambda folder: (folder, excluded[folder]))
        for problem in problems:
            logger.info("%s", problem_line(problem))
        return found

    found = await server.analysis.run(walk)
    if len(found) > MAX_FILES:
        logger.warning("the workspace has %d Python files; the first %d are checked", len(found), MAX_FILES)
    return found[:MAX_FILES]


async def check_workspace(server: ExportServer, token: types.ProgressToken | None) -> dict[str, Any]:
    """Check every file, with progress. Clients that do not pull get the diagnostics pushed, the others are told to pull."""
    work = Task(server, "Checking the workspace", token)
    await work.begin()
    checked = findings = 0
    try:
        paths = [str(path) for path in await files(server)]
        for number, filename in enumerate(paths):
            if work.cancelled.is_set():
                break
            work.say(f"{number + 1} of {len(paths)}", 100 * number // len(paths))
            if server.analysis.is_open(filename):
                continue
            items = await closed_marks(server, filename)
            checked += 1
            if items:
                findings += len(items)
            if items is not None and not server.client.pulls:
                server.publisher.of_closed_file(filename, items)
            await asyncio.sleep(0)
        for snapshot in server.documents.snapshots():
            try:
                findings += sum(map(len, (await diagnostics_of(server, snapshot)).values()))
                checked += 1
            except Superseded:
                continue
    finally:
        work.end("cancelled" if work.cancelled.is_set() else f"{findings} findings in {checked} files")
    server.refresh()
    return {"files": checked, "findings": findings, "cancelled": work.cancelled.is_set()}
