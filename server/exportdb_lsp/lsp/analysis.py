"""Where the analyser runs: one thread beside the event loop, newest texts only, answers kept while they hold.

The analyser is imported when it is first needed: a client must not wait for that to be greeted. It is pure Python on
one Project, so a second thread would gain nothing and cost a lock. An answer holds as long as its settings and every
file that was looked at for it are what they were; so typing in one document costs nothing in documents that do not
import it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from exportdb_rules.finding import Position

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from exportdb_rules import engine
    from exportdb_rules.finding import Finding, Fix

    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.reached import Answer, ReachingProject

logger = logging.getLogger(__name__)
T = TypeVar("T")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Superseded(Exception):
    """The text changed before the answer about it was ready."""


class Analyst:
    """Asks the analyser, for the event loop. All methods are called on the loop; `close` ends the thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analysis")
        self._projects: dict[Path | None, ReachingProject] = {}
        self._answers: dict[tuple[Path | None, str], Answer] = {}
        self._open: dict[str, tuple[Path | None, int]] = {}
        """Open texts: their project and version. Written by the loop; the thread only looks."""
        self._changes: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._running: dict[str, tuple[int, engine.Settings, asyncio.Future[engine.Report]]] = {}

    def set_text(self, root: Path | None, snapshot: Snapshot) -> None:
        """The text of an open document. It is handed to the project before the next question."""
        # Half of a character, which JSON can carry, makes the rest no Python for the parser: another takes its place.
        name, text = snapshot.filename, _LONE_SURROGATE.sub("\ufffd", snapshot.text)
        before = self._open.get(name)
        if before is not None and before[0] != root:
            self.drop_text(name)
        self._open[name] = (root, snapshot.version)
        self._later(lambda: self._project(root).set_text(name, text))

    def drop_text(self, filename: str) -> None:
        """The document was closed."""
        root, _ = self._open.pop(filename, (None, 0))
        self._running.pop(filename, None)
        self._later(lambda: self._project(root).drop_text(filename))

    def forget(self, filename: str, *, came_or_went: bool) -> None:
        """A file changed on disk. One that came may be what an import did not find before."""

        def apply() -> None:
            for project in self._projects.values():
                project.forget(filename)
            if came_or_went:
                self._answers.clear()

        self._later(apply)

    def is_open(self, filename: str) -> bool:
        """Whether an open document stands in front of the file."""
        return filename in self._open

    async def report(
        self, root: Path | None, filename: str, version: int | None, settings: engine.Settings
    ) -> engine.Report:
        """What the analyser says of a file.

        Args:
            root: the project.
            filename: as the analyser calls it.
            version: the version of the open text that is asked about; None for a file on disk.
            settings: what is asked.

        Raises:
            Superseded: an open text is not of that version any more.
        """
        if version is None:
            return await self._run(lambda: self._report(root, filename, None, settings))
        known = self._running.get(filename)
        if known is not None and known[:2] == (version, settings) and not known[2].cancelled():
            return await asyncio.shield(known[2])
        job = asyncio.ensure_future(self._run(lambda: self._report(root, filename, version, settings)))
        self._running[filename] = (version, settings, job)
        job.add_done_callback(lambda done: self._finished(filename, done))
        # Several requests wait for one answer: a cancelled one must not take it from the others.
        return await asyncio.shield(job)

    def _finished(self, filename: str, job: asyncio.Future[engine.Report]) -> None:
        known = self._running.get(filename)
        if known is not None and known[2] is job:
            del self._running[filename]
        if not job.cancelled():
            job.exception()

    async def fixes(
        self, root: Path | None, finding: Finding, version: int, settings: engine.Settings
    ) -> tuple[Fix, ...]:
        """The fixes of a finding. Raises Superseded as `report` does."""

        def work() -> tuple[Fix, ...]:
            from exportdb_rules import engine

            self._still(finding.filename, version)
            return engine.fixes(self._project(root), finding, settings)

        return await self._run(work)

    async def rewritten(self, root: Path | None, snapshot: Snapshot, settings: engine.Settings) -> str:
        """The text with all safe fixes applied, round after round. Raises Superseded as `report` does."""

        def work() -> str:
            from exportdb_lsp.checking.rounds import rewrite

            report = self._report(root, snapshot.filename, snapshot.version, settings)
            project = self._project(root)
            text = _LONE_SURROGATE.sub("\ufffd", snapshot.text)
            try:
                return rewrite(project, report, text, settings, unsafe=False).text
            finally:
                # The rounds leave their last text in the project; the document still has the first.
                project.set_text(snapshot.filename, text)

        return await self._run(work)

    async def run(self, work: Callable[[], T]) -> T:
        """Something else that takes long and is no analysis: reading folders, reading settings."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def warm_up(self) -> None:
        """Import the analyser and its rules, before the first text needs them."""

        def load() -> None:
            from exportdb_rules import engine, rule

            logger.debug("%s has %d rules", engine.__name__, len(rule.registry()))

        self._thread.submit(load)

    def close(self) -> None:
        """End the thread once it is done with what it is doing; what waits is dropped."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], T]) -> T:
        def drained() -> T:
            self._drain()
            return work()

        return await asyncio.get_running_loop().run_in_executor(self._thread, drained)

    def _later(self, change: Callable[[], None]) -> None:
        with self._lock:
            self._changes.append(change)

    def _drain(self) -> None:
        with self._lock:
            changes, self._changes = self._changes, []
        for change in changes:
            change()

    def _project(self, root: Path | None) -> ReachingProject:
        from exportdb_lsp.lsp.reached import ReachingProject

        project = self._projects.get(root)
        if project is None:
            project = self._projects[root] = ReachingProject(root)
        return project

    def _still(self, filename: str, version: int) -> None:
        known = self._open.get(filename)
        if known is None or known[1] != version:
            raise Superseded(filename)

    def _report(
        self, root: Path | None, filename: str, version: int | None, settings: engine.Settings
    ) -> engine.Report:
        from exportdb_rules import engine
        from exportdb_rules.importers import importers

        from exportdb_lsp.lsp.reached import Answer, files_behind

        if version is not None:
            self._still(filename, version)
        project = self._project(root)
        # A line of this file may be reached from an entry of another one, open or not.
        reaching = importers(project, filename)
        asked = [filename, *reaching]
        answer = self._answers.get((root, filename))
        if answer is not None and answer.holds(project, settings, files_behind(project, asked)):
            return answer.report
        try:
            # Who types does not wait for the rest of a check that is about an older text.
            still = None if version is None else lambda: self._still(filename, version)
            report = engine.check(project, filename, settings, reaching=reaching, between=still)
        except Superseded:
            raise
        except Exception as error:
            logger.error("the analyser failed on %s", filename, exc_info=error)
            message = f"this file could not be checked: {type(error).__name__}: {error}"
            report = engine.Report(filename, (), (engine.Problem(filename, Position(1, 1), message),), ())
        if version is not None:
            self._still(filename, version)
        states = tuple((name, project.state(name)) for name in sorted(files_behind(project, asked)))
        self._answers[root, filename] = Answer(settings, states, report)
        return report
