"""Diagnostics: pulled by clients that can, pushed to the others."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from lsprotocol import types

from exportdb_lsp.confirm.confirmation import join, remarks
from exportdb_lsp.lsp import configuration, diagnostic_items
from exportdb_lsp.lsp.analysis import Superseded
from exportdb_lsp.lsp.documents import digest, uri_key, uri_of
from exportdb_lsp.lsp.errors import retrigger

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from exportdb_rules import engine
    from exportdb_rules.finding import Finding

    from exportdb_lsp.confirm.confirmation import Joined, Remark
    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.server import ExportServer

logger = logging.getLogger(__name__)

# Who types faster than this is not done with the word.
DEBOUNCE: Final = 0.12
# Of so many documents it is known that their diagnostics were pulled; of those that were closed the client is told for good.
MAX_PULLED: Final = 2000

DiagnosticsByUri = dict[str, list[types.Diagnostic]]
"""By the URI of the document; every part of the snapshot has an entry, so that old diagnostics go away."""


async def diagnostics_of(server: ExportServer, snapshot: Snapshot) -> DiagnosticsByUri:
    """All diagnostics of an open text. Raises Superseded when the text changed meanwhile."""
    report = await server.report(snapshot)
    return diagnostics_in(server, snapshot, report)


def diagnostics_in(server: ExportServer, snapshot: Snapshot, report: engine.Report) -> DiagnosticsByUri:
    """A report, joined with what exports said of this text, by document."""
    found: DiagnosticsByUri = {part.uri: [] for part in snapshot.parts}
    joined = joined_with_exports(server, snapshot.filename, report.findings)
    for finding, confirmation in zip(report.findings, joined.confirmations, strict=True):
        uri = snapshot.part_at(finding.span.start.row).uri
        found[uri].append(diagnostic_items.finding_diagnostic(finding, snapshot, server, confirmation))
    for problem in report.problems:
        uri, item = diagnostic_items.problem_diagnostic(problem, snapshot)
        found[uri].append(item)
    for uri, item in diagnostic_items.remark_diagnostics(joined.untold, snapshot.filename, server):
        found.setdefault(uri, []).append(item)
    return found


def joined_with_exports(server: ExportServer, filename: str, findings: Sequence[Finding]) -> Joined:
    """The findings of a file, joined with what exports said of the texts that still stand."""
    return join(findings, server.current_verdicts(), server.place(filename).engine.torch_version)


def result_id(items: list[types.Diagnostic]) -> str:
    """Two lists of diagnostics with the same id are the same."""
    return digest(repr(items))


def register(server: ExportServer) -> None:
    """Pull."""
    options = types.DiagnosticOptions(
        identifier=diagnostic_items.SOURCE,
        inter_file_dependencies=True,
        workspace_diagnostics=True,
        work_done_progress=True,
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def pull(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:  # pyright: ignore[reportUnusedFunction]
        uri = params.text_document.uri
        snapshot = server.documents.snapshot(uri)
        items: list[types.Diagnostic] = []
        if snapshot is not None and server.documents.is_python(uri):
            try:
                found = await diagnostics_of(server, snapshot)
            except Superseded:
                raise retrigger() from None
            items = next((m for part, m in found.items() if uri_key(part) == uri_key(uri)), items)
        server.publisher.pulled(uri, items)
        identity = result_id(items)
        if params.previous_result_id == identity:
            return types.RelatedUnchangedDocumentDiagnosticReport(identity)
        return types.RelatedFullDocumentDiagnosticReport(items, result_id=identity)


class Publisher:
    """Pushes what a client does not ask for.

    To clients that do not pull that is everything; to all of them the diagnostics of files that are not open, and
    those of pyproject.toml.
    """

    def __init__(self, server: ExportServer) -> None:
        self._server = server
        self._tasks: dict[str, asyncio.Task[object]] = {}
        self._published: dict[str, str] = {}
        self._strangers: set[str] = set()
        self._asked_for: set[str] = set()
        self._projects: set[Path] = set()
        """Whose pyproject.toml has diagnostics."""
        self._pulled: dict[str, str] = {}
        """Documents whose diagnostics were pulled, by the key of their URI."""

    def pulled(self, uri: str, items: list[types.Diagnostic]) -> None:
        """A client asked for the diagnostics of a document.

        VS Code asks once more for what it has just closed, and throws that answer away: one that says "none" of a
        document that is not open has taken back nothing.
        """
        if items:
            self._pulled.pop(uri_key(uri), None)
            self._pulled[uri_key(uri)] = uri
            while len(self._pulled) > MAX_PULLED:
                del self._pulled[next(iter(self._pulled))]
        elif self._server.documents.document(uri) is not None:
            self._pulled.pop(uri_key(uri), None)

    def left_behind(self, known: set[str]) -> list[str]:
        """Documents whose diagnostics were pulled and that are neither open nor among the `known` files any more.

        A client that asks a last time while it closes a document would show those diagnostics for ever.
        """
        documents = self._server.documents
        return [u for key, u in self._pulled.items() if key not in known and documents.document(u) is None]

    def changed(self, snapshot: Snapshot) -> None:
        """A text was opened or edited."""
        if snapshot.filename in self._strangers:
            self.verdicts()
        known = any(uri_key(part.uri) in self._published for part in snapshot.parts)
        self._again(snapshot.filename, DEBOUNCE if known else 0.0)

    def closed(self, snapshot: Snapshot) -> None:
        """A document was closed: nobody looks at its diagnostics any more."""
        task = self._tasks.pop(snapshot.filename, None)
        if task is not None:
            task.cancel()
        if not self._server.client.pulls:
            for part in snapshot.parts:
                self._publish(part.uri, None, [])
        for part in snapshot.parts:
            self._published.pop(uri_key(part.uri), None)

    def removed(self, before: Snapshot, after: Snapshot) -> None:
        """Parts of a notebook are gone: so are their diagnostics."""
        kept = {uri_key(part.uri) for part in after.parts}
        for part in before.parts:
            if uri_key(part.uri) not in kept and uri_key(part.uri) in self._published:
                self._publish(part.uri, None, [])

    def everything(self) -> None:
        """Something changed that any diagnostic may depend on."""
        for snapshot in self._server.documents.snapshots():
            self._again(snapshot.filename, 0.0)
        self.verdicts()
        self.configurations()

    def verdicts(self) -> None:
        """What exports said of files that are not open and that the client does not ask for."""
        server = self._server
        said: defaultdict[str, list[Remark]] = defaultdict(list)
        for verdict in server.current_verdicts():
            remarked = list(remarks(verdict.result))
            for name, _ in verdict.texts:
                if not server.analysis.is_open(name) and name not in self._asked_for:
                    said[name] += remarked
        for filename in set(said) | self._strangers:
            if server.analysis.is_open(filename) and not server.client.pulls:
                continue  # its own push says everything
            by_uri: dict[str, list[types.Diagnostic]] = {uri_of(filename): []}
            snapshot = server.text_of(filename)
            for part in snapshot.parts if snapshot is not None else ():
                by_uri[part.uri] = []
            for uri, item in (
                diagnostic_items.remark_diagnostics(said[filename], filename, server) if filename in said else ()
            ):
                by_uri.setdefault(uri, []).append(item)
            for uri, items in by_uri.items():
                self._publish(uri, None, items, quiet=True)
        self._strangers = set(said)

    def asked_for(self, filename: str) -> None:
        """The client pulls the diagnostics of a file that is not open: what exports said of it is among them."""
        if self._server.client.pulls:
            self._asked_for.add(filename)
            if filename in self._strangers:
                self._strangers.discard(filename)
                self._publish(uri_of(filename), None, [], quiet=True)

    def of_closed_file(self, filename: str, items: list[types.Diagnostic]) -> None:
        """The diagnostics of a file that is not open, for clients that cannot ask for them."""
        self._publish(uri_of(filename), None, items, quiet=True)

    def configurations(self) -> None:
        """What is wrong in the pyproject.toml of every project that something is open in, or that has diagnostics already."""
        server = self._server
        roots = {root for s in server.documents.snapshots() if (root := server.place(s.filename).root) is not None}
        for root in roots | self._projects:
            path = root / "pyproject.toml"
            items = configuration.problems_of(server.place(str(path)), server.documents.encoding)
            self._publish(uri_of(str(path)), None, items, quiet=True)
            (self._projects.add if items else self._projects.discard)(root)
        configuration.complain(server)

    def _again(self, filename: str, delay: float) -> None:
        if self._server.client.pulls:
            return
        old = self._tasks.pop(filename, None)
        if old is not None:
            old.cancel()
        task = self._tasks[filename] = self._server.spawn(self._push(filename, delay))
        task.add_done_callback(lambda done: self._pushed(filename, done))

    def _pushed(self, filename: str, task: asyncio.Task[object]) -> None:
        if self._tasks.get(filename) is task:
            del self._tasks[filename]

    async def _push(self, filename: str, delay: float) -> None:
        await asyncio.sleep(delay)
        server = self._server
        first = await self._push_one(filename)
        if not first:
            return
        # What is typed here may be reached from other open texts; their answers are still known where it is not.
        for name in sorted(server.analysis.related(filename)):
            if not self._waits(name):
                await self._push_one(name)

    def _waits(self, filename: str) -> bool:
        task = self._tasks.get(filename)
        return task is not None and not task.done()

    async def _push_one(self, filename: str) -> bool:
        server = self._server
        snapshot = server.text_of(filename)
        if snapshot is None:
            return False
        try:
            found = await diagnostics_of(server, snapshot)
        except Superseded:
            return False
        if not server.current(snapshot):
            return False  # it was closed or edited between the answer and now
        for part in snapshot.parts:
            self._publish(part.uri, part.version, found[part.uri])
        return True

    def _publish(self, uri: str, version: int | None, items: list[types.Diagnostic], *, quiet: bool = False) -> None:
        key = uri_key(uri)
        identity = f"{version}:{result_id(items)}"
        if self._published.get(key) == identity or (quiet and not items and key not in self._published):
            return
        self._published[key] = identity
        if not self._server.client.version_in_diagnostics:
            version = None
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items, version))
