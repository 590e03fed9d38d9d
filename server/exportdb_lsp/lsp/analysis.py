"""Where the analyser runs: threads beside the event loop, newest texts only, answers kept while they hold.

The analyser is imported when it is first needed: a client must not wait for that to be greeted. It is pure Python on
one Project, so a second thread gains nothing, but for one thing: a file that takes long must not keep the others from
their diagnostics. It is given up as soon as another one waits, and checked anew on a second thread, which has a Project of its
own. An answer holds as long as its settings and every file that was looked at for it are what they were; so typing in one
document costs nothing in documents that do not import it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import threading
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeVar

from exportdb_rules.interruption import Interrupted

from exportdb_lsp.lsp.lanes import Lane

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from exportdb_rules import engine
    from exportdb_rules.finding import Finding
    from exportdb_rules.shown_shapes import ShownShape

    from exportdb_lsp.lsp.documents import Snapshot
    from exportdb_lsp.lsp.reached import KnownReport, ReachingProject

logger = logging.getLogger(__name__)
T = TypeVar("T")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


# Seconds that other files wait for one that is being checked.
OTHERS_WAIT: Final = 0.25


class Superseded(Interrupted):
    """The text changed before the answer about it was ready."""


class _TakesLong(Interrupted):
    """Others wait: the file is for the second thread."""


class _Desk:
    """A thread, and what it knows. All but `later` is for that thread alone."""

    def __init__(self, name: str) -> None:
        self.lane = Lane(name)
        self.projects: dict[Path | None, ReachingProject] = {}
        self.answers: dict[tuple[Path | None, str], KnownReport] = {}
        self._lock = threading.Lock()
        self._texts: dict[tuple[Path | None, str], str | None] = {}
        self._disk: dict[str, bool] = {}

    def later(self, root: Path | None, filename: str, text: str | None) -> None:
        """Hand a text to a project (None: the document was closed) before the next question."""
        with self._lock:
            self._texts.pop((root, filename), None)
            self._texts[root, filename] = text

    def forget_later(self, filename: str, *, created_or_deleted: bool) -> None:
        """A file changed on disk."""
        with self._lock:
            self._disk[filename] = created_or_deleted or self._disk.get(filename, False)

    def drain(self) -> None:
        """Bring the projects up to what was said since the last question."""
        with self._lock:
            texts, self._texts = self._texts, {}
            disk, self._disk = self._disk, {}
        for filename in disk:
            for project in self.projects.values():
                project.forget(filename)
        if any(disk.values()):
            self.answers.clear()
        for (root, filename), text in texts.items():
            if text is not None:
                self.project(root).set_text(filename, text)
            elif root in self.projects:
                self.projects[root].drop_text(filename)
                self.answers.pop((root, filename), None)

    def project(self, root: Path | None) -> ReachingProject:
        """The project of a folder."""
        from exportdb_lsp.lsp.reached import ReachingProject

        project = self.projects.get(root)
        if project is None:
            project = self.projects[root] = ReachingProject(root)
        return project


class AnalysisThreads:
    """Asks the analyser, for the event loop. All methods are called on the loop; `close` ends the threads."""

    def __init__(self) -> None:
        self._quick = _Desk("analysis")
        self._slow: _Desk | None = None
        """For files that took long while others waited; made for the first one."""
        self._heavy: set[str] = set()
        self._open: dict[str, tuple[Path | None, int]] = {}
        """Open texts: their project and version. Written by the loop; the threads only look."""
        self._texts: dict[str, str] = {}
        self._behind: dict[str, frozenset[str]] = {}
        """The files that the last answer about a file rests on."""
        self._resting: defaultdict[str, set[str]] = defaultdict(set)
        """The other way round."""
        self._found: dict[str, frozenset[str]] = {}
        """The files that answers rest on which the loop has not looked at yet."""
        self._running: dict[str, tuple[int, engine.Settings, asyncio.Future[engine.Report]]] = {}

    def set_text(self, root: Path | None, snapshot: Snapshot) -> None:
        """The text of an open document. It is handed to the project before the next question."""
        # Half of a character, which JSON can carry, makes the rest no Python for the parser: another takes its place.
        name, text = snapshot.filename, _LONE_SURROGATE.sub("\ufffd", snapshot.text)
        before = self._open.get(name)
        if before is not None and before[0] != root:
            self.drop_text(name)
        self._open[name] = (root, snapshot.version)
        self._texts[name] = text
        for desk in self._desks():
            desk.later(root, name, text)

    def drop_text(self, filename: str) -> None:
        """The document was closed."""
        root, _ = self._open.pop(filename, (None, 0))
        self._texts.pop(filename, None)
        self._running.pop(filename, None)
        self._heavy.discard(filename)
        self._rests(filename, frozenset())
        for desk in self._desks():
            desk.later(root, filename, None)

    def forget(self, filename: str, *, created_or_deleted: bool) -> None:
        """A file changed on disk. One that came may be what an import did not find before."""
        for desk in self._desks():
            desk.forget_later(filename, created_or_deleted=created_or_deleted)

    def related(self, filename: str) -> set[str]:
        """The files whose answers may be others because this one's text is: as far as they were asked about."""
        return {
            name for name in (*self._behind.get(filename, ()), *self._resting.get(filename, ())) if name != filename
        }

    def _rests(self, filename: str, behind: frozenset[str]) -> None:
        for name in self._behind.pop(filename, ()):
            resting = self._resting[name]
            resting.discard(filename)
            if not resting:
                del self._resting[name]
        if behind:
            self._behind[filename] = behind
            for name in behind:
                self._resting[name].add(filename)

    def _desks(self) -> list[_Desk]:
        return [self._quick] if self._slow is None else [self._quick, self._slow]

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
            return await self._ask(
                filename, lambda desk, between: self._report(desk, root, filename, None, settings, between)
            )
        known = self._running.get(filename)
        if known is not None and known[:2] == (version, settings) and not known[2].cancelled():
            return await asyncio.shield(known[2])
        job = asyncio.ensure_future(
            self._ask(filename, lambda desk, between: self._report(desk, root, filename, version, settings, between))
        )
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
        behind = self._found.pop(filename, None)
        if behind is not None and filename in self._open:
            self._rests(filename, behind)

    async def offer(
        self, root: Path | None, finding: Finding, version: int, settings: engine.Settings
    ) -> engine.FixOffer:
        """The fixes of a finding, or why there is none. Raises Superseded as `report` does."""

        def work(desk: _Desk, between: Callable[[], None]) -> engine.FixOffer:
            from exportdb_rules import engine

            self._still(finding.filename, version)
            return engine.offer(desk.project(root), finding, settings, between=between)

        return await self._ask(finding.filename, work)

    async def call_graph(self, root: Path | None, filename: str, settings: engine.Settings) -> engine.CallGraph:
        """The calls that are followed from the entries of a file, and from those of the files that import it."""

        def work(desk: _Desk, between: Callable[[], None]) -> engine.CallGraph:
            from exportdb_rules import engine

            return engine.call_graph(desk.project(root), filename, settings, between=between)

        return await self._ask(filename, work)

    async def shapes(
        self, root: Path | None, filename: str, version: int, settings: engine.Settings
    ) -> tuple[ShownShape, ...]:
        """The sizes of the tensors of a file, as far as its code says. Raises Superseded as `report` does."""

        def work(desk: _Desk, between: Callable[[], None]) -> tuple[ShownShape, ...]:
            from exportdb_rules import engine

            def still() -> None:
                self._still(filename, version)
                between()

            self._still(filename, version)
            try:
                return engine.shapes(desk.project(root), filename, settings, between=still)
            except Interrupted:
                raise
            except Exception as error:
                logger.error("the shapes of %s are not known", filename, exc_info=error)
                return ()

        return await self._ask(filename, work)

    async def rewritten(self, root: Path | None, snapshot: Snapshot, settings: engine.Settings) -> str:
        """The text with all safe fixes applied, round after round. Raises Superseded as `report` does."""

        def work(desk: _Desk, between: Callable[[], None]) -> str:
            from exportdb_lsp.checking.fix_loop import rewrite

            report = self._report(desk, root, snapshot.filename, snapshot.version, settings, between)
            project = desk.project(root)
            text = _LONE_SURROGATE.sub("\ufffd", snapshot.text)
            try:
                return rewrite(project, report, text, settings, unsafe=False).text
            finally:
                # The rounds leave their last text in the project; the document still has the first.
                project.set_text(snapshot.filename, text)

        return await self._ask(snapshot.filename, work)

    async def run(self, work: Callable[[], T]) -> T:
        """Something else that takes long and is no analysis: reading folders, reading settings."""
        return await asyncio.get_running_loop().run_in_executor(self._quick.lane, work)

    def warm_up(self) -> None:
        """Import the analyser and its rules, before the first text needs them; then, behind what is asked meanwhile, what
        their fixes need."""

        def load() -> None:
            from exportdb_rules import engine, rewrite, rule

            logger.debug("%s has %d rules", engine.__name__, len(rule.registry()))
            with contextlib.suppress(RuntimeError):  # the server ends already
                self._quick.lane.submit(rewrite.load)

        self._quick.lane.submit(load)

    def close(self) -> None:
        """End the threads once they are done with what they are doing; what waits is dropped, and nobody waits."""
        for desk in self._desks():
            desk.lane.shutdown()

    async def _ask(self, filename: str, work: Callable[[_Desk, Callable[[], None]], T]) -> T:
        """Have something done about a file: on the first thread, unless that takes long while others wait."""
        loop = asyncio.get_running_loop()
        if filename not in self._heavy:
            desk = self._quick

            def first() -> T:
                desk.drain()
                began = time.monotonic()

                def between() -> None:
                    if desk.lane.awaited and time.monotonic() - began > OTHERS_WAIT:
                        raise _TakesLong(filename)

                return work(desk, between)

            try:
                return await loop.run_in_executor(desk.lane, first)
            except _TakesLong:
                self._heavy.add(filename)
                logger.info("%s takes long: checking it in the background", filename)
        slow = self._second()

        def second() -> T:
            slow.drain()
            return work(slow, lambda: None)

        began = time.monotonic()
        answer = await loop.run_in_executor(slow.lane, second)
        if time.monotonic() - began < OTHERS_WAIT:
            self._heavy.discard(filename)
        return answer

    def _second(self) -> _Desk:
        """The desk for files that take long. What was said to the other one before is told to it, too."""
        if self._slow is None:
            self._slow = _Desk("long analysis")
            for name, text in self._texts.items():
                self._slow.later(self._open[name][0], name, text)
        return self._slow

    def _still(self, filename: str, version: int) -> None:
        known = self._open.get(filename)
        if known is None or known[1] != version:
            raise Superseded(filename)

    def _report(
        self,
        desk: _Desk,
        root: Path | None,
        filename: str,
        version: int | None,
        settings: engine.Settings,
        between: Callable[[], None],
    ) -> engine.Report:
        from exportdb_rules import engine
        from exportdb_rules.importers import importers

        from exportdb_lsp.lsp.reached import KnownReport, files_behind

        if version is not None:
            self._still(filename, version)
        project = desk.project(root)
        # A line of this file may be reached from an entry of another one, open or not.
        reaching = importers(project, filename)
        asked = [filename, *reaching]
        answer = desk.answers.get((root, filename))
        if answer is not None and answer.holds(project, settings, files_behind(project, asked)):
            return answer.report

        def still() -> None:
            # Who types does not wait for the rest of a check that is about an older text.
            if version is not None:
                self._still(filename, version)
            between()

        try:
            report = engine.check(project, filename, settings, reaching=reaching, between=still)
        except Interrupted:
            raise
        except Exception as error:
            logger.error("the analyzer failed on %s", filename, exc_info=error)
            message = f"this file cannot be checked: {type(error).__name__}: {error}"
            report = engine.Report(filename, (), (engine.Problem(filename, message),), ())
        if version is not None:
            self._still(filename, version)
        behind = files_behind(project, asked)
        states = tuple((name, project.state(name)) for name in sorted(behind))
        desk.answers[root, filename] = KnownReport(settings, states, report)
        if version is not None:
            self._found[filename] = frozenset(behind)
        return report
