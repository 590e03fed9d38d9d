"""The server: the parts put together, and the two ways to reach it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from exportdb_rules.finding import Span
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from exportdb_lsp import __version__
from exportdb_lsp.lsp import transport
from exportdb_lsp.lsp.analysis import AnalysisThreads
from exportdb_lsp.lsp.client import Client
from exportdb_lsp.lsp.configuration import PATIENCE, Configuration, ProjectSettings, trust_in
from exportdb_lsp.lsp.diagnostics import Publisher
from exportdb_lsp.lsp.documents import Documents, path_of, uri_of
from exportdb_lsp.lsp.file_reader import FileReader
from exportdb_lsp.lsp.lifetime import Parent
from exportdb_lsp.lsp.logs import trace
from exportdb_lsp.lsp.positions import Encoding, LineIndex
from exportdb_lsp.lsp.progress import RunningTasks
from exportdb_lsp.lsp.protocol import ExportProtocol
from exportdb_lsp.lsp.showing import ScratchDocuments
from exportdb_lsp.lsp.verdicts import Verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from exportdb_rules import engine

    from exportdb_lsp.confirm.confirmation import ExportVerdict
    from exportdb_lsp.confirm.confirmer import Confirmer
    from exportdb_lsp.confirm.result import ExportResult
    from exportdb_lsp.confirm.targets import Target
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.file_reader import Signature

logger = logging.getLogger(__name__)

NAME: Final = "exportdb-lsp"


class ExportServer(LanguageServer):
    """The session with one client."""

    protocol: ExportProtocol  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(self) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            NAME,
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            notebook_document_sync=types.NotebookDocumentSyncOptions(
                [types.NotebookDocumentFilterWithNotebook("*", cells=[types.NotebookCellLanguage("python")])], save=True
            ),
            protocol_cls=ExportProtocol,
        )
        self.documents = Documents()
        self.disk = FileReader()
        self.files_without_torch: dict[str, Signature] = {}
        """Files that say nothing of torch, by what they are known again."""
        self.client = Client()
        self.analysis = AnalysisThreads()
        self.verdicts = Verdicts()
        self.configuration = Configuration()
        self.publisher = Publisher(self)
        self.running_tasks = RunningTasks()
        self.scratch_documents = ScratchDocuments()
        self.exports = ThreadPoolExecutor(thread_name_prefix="export")
        """Threads that wait for exports; who runs them decides how many run at once."""
        self._confirmer: Confirmer | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None
        self._parent: Parent | None = None
        self._background: set[asyncio.Task[object]] = set()

    # What the capabilities ask for.

    @property
    def confirmer(self) -> Confirmer:
        """Who runs exports; made when somebody first wants one."""
        if self._confirmer is None:
            from exportdb_lsp.confirm.confirmer import Confirmer

            self._confirmer = Confirmer(low_priority=True)
        return self._confirmer

    def drop_confirmer(self) -> None:
        """End the workers and what they are running."""
        confirmer, self._confirmer = self._confirmer, None
        if confirmer is not None:
            self.exports.submit(confirmer.close)

    @property
    def trusted(self) -> bool:
        """False when the client says that the workspace is not to be trusted: then nothing of it is run.

        Of a client that says nothing, commands are obeyed: who asks for an export asks for the code to be run. What
        would happen without a command is for `Configuration.trusts` to say.
        """
        return self.configuration.trust is not False

    def place(self, filename: str) -> ProjectSettings:
        """The settings that hold for a file."""
        return self.configuration.of(filename)

    async def report(self, snapshot: Snapshot) -> engine.Report:
        """What the analyser says of an open text. Raises Superseded when the text changed meanwhile."""
        await self.configured()
        place = self.place(snapshot.filename)
        began = time.perf_counter()
        report = await self.analysis.report(place.root, snapshot.filename, snapshot.version, place.engine)
        took = 1000 * (time.perf_counter() - began)
        trace(
            self,
            f"{snapshot.uri}: {len(report.findings)} findings in {took:.0f} ms",
            f"version {snapshot.version}, torch {place.engine.torch_version}, {len(report.entries)} entries, "
            f"{len(report.problems)} problems, project {place.root}",
        )
        return report

    async def configured(self) -> None:
        """Wait until the client told its settings, though not for long."""
        if not self.configuration.ready.is_set():
            try:
                await asyncio.wait_for(self.configuration.ready.wait(), PATIENCE)
            except (TimeoutError, asyncio.TimeoutError):
                self.configuration.ready.set()

    def current(self, snapshot: Snapshot) -> bool:
        """Whether the client still shows that text."""
        return self.documents.snapshot(snapshot.uri) is snapshot

    def text_of(self, filename: str) -> Snapshot | None:
        """The open text of a file."""
        return self.documents.named(filename)

    def lines(self, filename: str) -> LineIndex | None:
        """The lines of a file: of the open text, else of the disk; None where there is none that is Python."""
        snapshot = self.text_of(filename)
        return self.disk.lines(filename) if snapshot is None else snapshot.lines

    def digest(self, filename: str) -> str | None:
        """The digest of a file's text: of the open one, else of the disk."""
        snapshot = self.text_of(filename)
        return self.disk.digest(filename) if snapshot is None else snapshot.digest

    def current_verdicts(self) -> list[ExportVerdict]:
        """What exports said, as far as all texts that it is about still stand."""
        known = cache(self.digest)
        return [verdict for verdict in self.verdicts.all() if verdict.current(known)]

    def locate(self, filename: str, where: Span | int) -> types.Location:
        """Where a span, or the code of a whole row, of any file stands for the client."""
        snapshot = self.text_of(filename)
        if snapshot is not None:
            return snapshot.locate(where) if isinstance(where, Span) else snapshot.locate_row(where)
        lines = self.disk.lines(filename) or LineIndex("")
        encoding = self.documents.encoding
        range_ = lines.range(where, encoding) if isinstance(where, Span) else lines.whole(where - 1, encoding)
        return types.Location(uri_of(filename), range_)

    def target_row(self, result: ExportResult) -> int:
        """The row of a target's name, for results that name no line."""
        from exportdb_lsp.confirm import targets

        lines = self.lines(result.filename)
        found = targets.choose(_targets_in(lines.text if lines is not None else "", result.filename), result.target)
        return found[0].span.start.row if found else 1

    # What changes.

    def opened(self, snapshot: Snapshot) -> None:
        """A text came or changed."""
        self.analysis.set_text(self.place(snapshot.filename).root, snapshot)
        self.publisher.changed(snapshot)

    def settings_changed(self) -> None:
        """Settings, folders or files that answers depend on are different now."""
        for snapshot in self.documents.snapshots():
            self.analysis.set_text(self.place(snapshot.filename).root, snapshot)
        self.refresh()

    def refresh(self) -> None:
        """Everything that is shown may be out of date: let clients that pull ask again, and push to the others."""
        self.publisher.everything()
        if self.client.pulls:
            self.protocol.send_request(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        if self.client.refreshes_lenses:
            self.protocol.send_request(types.WORKSPACE_CODE_LENS_REFRESH)
        if self.client.refreshes_hints:
            self.protocol.send_request(types.WORKSPACE_INLAY_HINT_REFRESH)

    def spawn(self, coroutine: Coroutine[object, object, object]) -> asyncio.Task[object]:
        """Work that nobody waits for; its failure goes to the log."""
        work = asyncio.get_running_loop().create_task(coroutine)
        self._background.add(work)
        work.add_done_callback(self._done)
        return work

    def _done(self, work: asyncio.Task[object]) -> None:
        self._background.discard(work)
        if not work.cancelled() and (error := work.exception()) is not None:
            logger.error("background task failed", exc_info=error)

    # Its life.

    def begin(self, params: types.InitializeParams) -> None:
        """The client introduced itself."""
        from pygls.capabilities import ServerCapabilitiesBuilder

        options: object = params.initialization_options
        self.client = Client.of(params.capabilities, options)
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        folders = [path for f in params.workspace_folders or () if (path := path_of(f.uri)) is not None]
        if not folders:
            root = path_of(params.root_uri) if params.root_uri else Path(params.root_path) if params.root_path else None
            folders = [root] if root is not None else []
        self.documents = Documents(Encoding.named(encoding), folders[0] if folders else None)
        self.configuration = Configuration()
        self.configuration.folders = folders
        self.protocol.trace = params.trace or types.TraceValue.Off
        self.configuration.trust = trust_in(options)
        self.configuration.set_general(params.initialization_options)
        if params.process_id is not None:
            self._parent = Parent(params.process_id, lambda: self.from_anywhere(self.stop))
            self._parent.watch()

    def stop(self) -> None:
        """End the session after the message that is being handled."""
        if self._stopped is not None:
            self._stopped.set()

    def from_anywhere(self, call: Callable[[], object]) -> None:
        """Call something on the event loop, from whichever thread; nothing is called once the session is over."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(call)

    async def _serve(self, stream: BinaryIO) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopped = asyncio.Event()
        await transport.pump(stream, self.protocol.receive, self._stopped)
        for task in list(self._background):
            task.cancel()

    def run(self, reader: BinaryIO, writer: BinaryIO) -> int:
        """Serve one client until it says `exit` or is gone. The exit code of the process."""
        out = transport.Writer(writer)
        self.protocol.set_writer(out)
        try:
            asyncio.run(self._serve(reader))
        except KeyboardInterrupt:
            pass
        finally:
            self.close()
            out.close()
        code = self.protocol.exit_code
        return 1 if code is None else code

    def close(self) -> None:
        """End what runs beside the session."""
        self.analysis.close()
        if self._parent is not None:
            self._parent.close()
        self.running_tasks.cancel_all()
        self.scratch_documents.close()
        if self._confirmer is not None:
            self._confirmer.close()
        self.exports.shutdown(wait=False, cancel_futures=True)


@lru_cache(maxsize=64)
def _targets_in(text: str, filename: str) -> tuple[Target, ...]:
    """What a text has to export; nothing where it is no Python. Every diagnostic of a result without a line asks for it."""
    from exportdb_lsp.confirm import targets

    try:
        return tuple(targets.find(text, filename))
    except (SyntaxError, ValueError):
        return ()


def create() -> ExportServer:
    """A server with all its capabilities."""
    from exportdb_lsp.lsp import capabilities

    server = ExportServer()
    capabilities.register(server)
    return server


def serve_stdio() -> int:
    """Serve an editor over standard input and output. The exit code: 0 after a clean shutdown."""
    reader, writer = transport.standard_streams()
    server = create()
    return server.run(reader, writer)


def serve_tcp(host: str, port: int, token: str | None = None) -> int:
    """Serve one editor over a socket; port 0 takes any free one. Where it listens is said on stderr.

    Whether `host` may be reached from other machines is the caller's to decide. With a token, a client must send it on
    a first line of its own.

    Raises:
        OSError: the address cannot be listened on.
    """
    server = create()
    reader, writer = transport.accept(host, port, token)
    return server.run(reader, writer)


__all__ = ["NAME", "ExportServer", "create", "serve_stdio", "serve_tcp"]
