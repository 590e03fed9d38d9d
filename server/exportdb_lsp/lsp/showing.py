"""window/showDocument: what a command has to show, in editors that let a server open something."""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from exportdb_lsp.leftovers import TemporaryFolder
from exportdb_lsp.lsp.documents import uri_of

if TYPE_CHECKING:
    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)

# An editor that asks its user first may take its time; one that never answers must not keep the command.
PATIENCE: Final = 30.0


class ScratchDocuments:
    """Texts that are shown as files. They live as long as the session."""

    def __init__(self) -> None:
        self._folder: TemporaryFolder | None = None

    def put(self, name: str, text: str) -> Path:
        """Write a text down under a name that people read in a tab; what had that name before is replaced.

        Raises:
            OSError: it cannot be written.
        """
        if self._folder is None:
            self._folder = TemporaryFolder()
        path = Path(self._folder.path) / re.sub(r"[^\w.() -]", "_", name)
        path.write_text(text, encoding="utf-8")
        return path

    def close(self) -> None:
        """Take everything away."""
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.close()


async def show_text(server: ExportServer, name: str, text: str) -> bool:
    """Open a text in the editor. Whether it was shown."""
    if not server.client.shows_documents:
        return False
    try:
        path = server.scratch_documents.put(name, text)
    except OSError as error:
        logger.warning("%s cannot be written: %s", name, error)
        return False
    return await _show(server, types.ShowDocumentParams(uri_of(str(path)), external=False, take_focus=True))


async def show_page(server: ExportServer, url: str) -> bool:
    """Open a page of the web, in whatever the editor opens such with. Whether it was shown."""
    if not server.client.shows_documents:
        return False
    return await _show(server, types.ShowDocumentParams(url, external=True))


async def _show(server: ExportServer, params: types.ShowDocumentParams) -> bool:
    try:
        answer = await asyncio.wait_for(server.window_show_document_async(params), PATIENCE)
    except (JsonRpcException, TimeoutError, asyncio.TimeoutError) as error:
        logger.info("the client did not show %s: %s", params.uri, error or "no answer")
        return False
    return answer.success
