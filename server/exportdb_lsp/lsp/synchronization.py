"""Which texts are open and what they say; the first and the last words of a session."""

# pyright: reportUnusedFunction=false
from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from exportdb_lsp.lsp import configuration, status, watching
from exportdb_lsp.lsp.documents import brief, is_too_long, path_of

if TYPE_CHECKING:
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)


def register(server: ExportServer) -> None:
    """The life of documents and notebooks."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        server.analysis.warm_up()
        await configuration.fetch(server)
        await watching.watch(server)
        server.settings_changed()
        status.tell(server)

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.running_tasks.cancel_all()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.documents.open(params.text_document)
        _tell_too_long(params.text_document.uri)
        _document_opened(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        if server.documents.change(params):
            _edited(server, params.text_document.uri)
        else:
            logger.warning("an edit of a document that was never opened: %s", params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        if not server.documents.close(uri):
            logger.warning("a document was closed that was never opened: %s", uri)
        elif snapshot is not None:
            _document_closed(server, snapshot)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        snapshot = server.documents.snapshot(params.text_document.uri)
        path = path_of(params.text_document.uri)
        if path is not None and path.name == "pyproject.toml":
            server.configuration.forget()
            server.settings_changed()
            status.tell(server)
        elif snapshot is not None and server.documents.is_python(snapshot.uri):
            place = server.place(snapshot.filename)
            if place.user.export_on_save:
                from exportdb_lsp.lsp.exporting import export_quietly

                if server.configuration.trusts(place.root):
                    server.spawn(export_quietly(server, snapshot))
                else:
                    configuration.tell_withheld(server, place)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(params: types.DidOpenNotebookDocumentParams) -> None:
        server.documents.open_notebook(params)
        _tell_too_long(params.notebook_document.uri)
        _document_opened(server, params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(params: types.DidChangeNotebookDocumentParams) -> None:
        before = server.documents.snapshot(params.notebook_document.uri)
        if not server.documents.change_notebook(params):
            logger.warning("an edit of a notebook that was never opened: %s", params.notebook_document.uri)
            return
        _edited(server, params.notebook_document.uri)
        after = server.documents.snapshot(params.notebook_document.uri)
        if before is not None and after is not None:
            server.publisher.removed(before, after)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(params: types.DidCloseNotebookDocumentParams) -> None:
        snapshot = server.documents.snapshot(params.notebook_document.uri)
        server.documents.close_notebook(params)
        if snapshot is not None:
            _document_closed(server, snapshot)


def _tell_too_long(uri: str) -> None:
    if is_too_long(uri):
        logger.warning("file name too long, checking the text without a path: %s", brief(uri))


def _edited(server: ExportServer, uri: str) -> None:
    snapshot = server.documents.snapshot(uri)
    if snapshot is not None:
        server.running_tasks.edited(snapshot.filename)
    _document_opened(server, uri)


def _document_opened(server: ExportServer, uri: str) -> None:
    snapshot = server.documents.snapshot(uri)
    if snapshot is not None and server.documents.is_python(uri):
        server.opened(snapshot)


def _document_closed(server: ExportServer, snapshot: Snapshot) -> None:
    server.analysis.drop_text(snapshot.filename)
    server.publisher.closed(snapshot)
    server.publisher.verdicts()
