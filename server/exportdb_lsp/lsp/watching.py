"""Files that change behind the editor's back: pyproject.toml, modules that open documents import, renames."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from exportdb_lsp.lsp.documents import path_of

if TYPE_CHECKING:
    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)

PATTERNS: Final = ("**/*.py", "**/pyproject.toml")
_PATIENCE: Final = 5.0
# A branch that is switched changes thousands of files; the server looks once when it is over.
_STORM: Final = 0.2


async def watch(server: ExportServer) -> None:
    """Ask to be told of changes, where the client lets a server ask."""
    wanted: list[types.Registration] = []
    if server.client.registers_watchers:
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(p) for p in PATTERNS])
        wanted.append(types.Registration("exportdb-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if server.client.registers_configuration:
        section = types.DidChangeConfigurationRegistrationOptions("exportdb")
        wanted.append(types.Registration("exportdb-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if not wanted:
        return
    try:
        asking = server.client_register_capability_async(types.RegistrationParams(wanted))
        await asyncio.wait_for(asking, _PATIENCE)
    except (JsonRpcException, TimeoutError, asyncio.TimeoutError) as error:
        logger.info("the client does not watch files: %s", error or "no answer")


def register(server: ExportServer) -> None:
    """workspace/didChangeWatchedFiles and the file operations."""
    later = _Later(server)
    files = types.FileOperationRegistrationOptions(
        [
            types.FileOperationFilter(types.FileOperationPattern("**/*.py"), scheme="file"),
            types.FileOperationFilter(
                types.FileOperationPattern("**", matches=types.FileOperationPatternKind.Folder), scheme="file"
            ),
        ]
    )

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: types.DidChangeWatchedFilesParams) -> None:
        for event in params.changes:
            path = path_of(event.uri)
            if path is not None:
                _forget(server, path, event.type is not types.FileChangeType.Changed)
        later.refresh()

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, files)
    def renamed(params: types.RenameFilesParams) -> None:
        for file in params.files:
            old, new = path_of(file.old_uri), path_of(file.new_uri)
            if old is not None and new is not None:
                server.verdicts.rename(str(old), str(new))
                _forget(server, old, True)
                _forget(server, new, True)
        later.refresh()

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, files)
    def deleted(params: types.DeleteFilesParams) -> None:
        for file in params.files:
            path = path_of(file.uri)
            if path is not None:
                server.verdicts.clear(str(path))
                _forget(server, path, True)
        later.refresh()


def _forget(server: ExportServer, path: Path, created_or_deleted: bool) -> None:
    if path.name == "pyproject.toml" or created_or_deleted:
        server.configuration.forget()
    if path.suffix == ".py" or created_or_deleted:
        server.analysis.forget(str(path), created_or_deleted=created_or_deleted)


class _Later:
    """One refresh for a storm of events."""

    def __init__(self, server: ExportServer) -> None:
        self._server = server
        self._timer: asyncio.TimerHandle | None = None

    def refresh(self) -> None:
        """Soon, and only once."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(_STORM, self._server.settings_changed)
