"""Who does the work: this process alone, or several at once where there is enough to do."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any, Final

from exportdb_lsp.leftovers import TemporaryFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Future
    from typing import TypeVar

    from exportdb_rules.report import Report

    from exportdb_lsp.checking.file_analyzer import Analysed, FileAnalyzer, Finished
    from exportdb_lsp.checking.plan import ProjectFiles
    from exportdb_lsp.checking.results import CheckRequest

    Task = TypeVar("Task")
    Answer = TypeVar("Answer")
    Mending = tuple[Report, Sequence[str]]

# A process costs about as much to start as it takes to check this many bytes.
SMALLEST_SHARE: Final = 200_000
# So many pieces a process: small enough that all come to an end together, large enough to be worth sending.
PIECES: Final = 8
# How many objects more than at the last look make the garbage collector look again, and how often it looks further. What waits
# for it is memory on top of what is kept, and no bound of a project counts it.
COLLECTING: Final = (1_000_000, 10, 10)
# Behind all that multiprocessing itself does at the end of a process.
LAST: Final = -1000


class WorkerPool:
    """Analyses files of one group, and mends them. Processes are started when there is work for more than one. What
    was read of the `last` group is left to the end of the process."""

    def __init__(self, group: ProjectFiles, work: CheckRequest, jobs: int, *, last: bool = False) -> None:
        # What a process is told of the group: the files come piece by piece.
        self._group = replace(group, filenames=())
        self._work = work
        self._jobs = jobs
        self._last = last
        self._own: FileAnalyzer | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._folder: TemporaryFolder | None = None

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if self._own is not None and not self._last:
            self._own.dissolve()
        if self._pool is not None:
            if error is not None:
                for process in multiprocessing.active_children():
                    process.terminate()
            self._pool.shutdown(cancel_futures=True)
        if self._folder is not None:
            self._folder.close()

    def units(self, filenames: Sequence[str]) -> Iterator[Analysed]:
        """Trace the entries of files, in any order."""
        return self._share(_units, filenames, str)

    def finish(self, mendings: Sequence[Mending]) -> Iterator[Finished]:
        """Compute or apply the fixes of reports, in any order."""
        for piece in self._share(_finish, mendings, lambda mending: mending[0].filename):
            yield from piece

    def _share(
        self, do: Callable[[FileAnalyzer, list[Task]], Answer], tasks: Sequence[Task], filename: Callable[[Task], str]
    ) -> Iterator[Answer]:
        """What `do` makes of the tasks, piece by piece."""
        sizes = [_size(filename(task)) for task in tasks]
        shares = min(self._jobs, sum(sizes) // SMALLEST_SHARE)
        left = _cut(tasks, sizes, max(shares, 1) * PIECES)
        if shares > 1:
            running, left = self._submitted(do, left)
            for future in as_completed(running):
                try:
                    answer = _taken(future.result())
                except Exception:  # a process that ran out of memory, say: what it had is done here
                    left.append(running[future])
                else:
                    yield answer
        for piece in left:
            if self._own is None:
                self._own = _analyst(self._group, self._work)
            yield do(self._own, piece)

    def _submitted(
        self, do: Callable[[FileAnalyzer, list[Task]], Answer], pieces: list[list[Task]]
    ) -> tuple[dict[Future[str], list[Task]], list[list[Task]]]:
        """The pieces that a process will do, and those that none will take: a pool that lost one takes nothing any more."""
        running: dict[Future[str], list[Task]] = {}
        try:
            if self._pool is None:
                self._folder = self._folder or TemporaryFolder()
                # A forked child of a process with threads can hang; a spawned one starts clean on every system.
                context = multiprocessing.get_context("spawn")
                employment = (self._group, self._work, self._folder.path)
                self._pool = ProcessPoolExecutor(self._jobs, context, _employ, employment)
            # The pool starts a process where a piece finds none that is free.
            with _interrupts_held():
                for piece in pieces:
                    running[self._pool.submit(_employed, do, piece)] = piece
        except (BrokenExecutor, OSError):
            return running, pieces[len(running) :]
        return running, []


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Hold interrupts back, here until the end of the block, in processes that are started within it until `_employ`: while
    they import, Python would print a traceback of each."""
    if sys.platform == "win32":
        yield
    else:
        # Started within, the tracker would let them through.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _taken(name: str) -> Any:
    """The answer in a file, which is taken away."""
    with open(name, "rb") as file:
        answer = pickle.load(file)
    os.unlink(name)
    return answer


def _analyst(group: ProjectFiles, work: CheckRequest) -> FileAnalyzer:
    # The analyser takes a while to import; a run that finds all its answers in the store never needs it.
    from exportdb_lsp.checking.file_analyzer import FileAnalyzer

    # Trees are millions of objects, and what a check leaves behind is taken apart (`AnalysisState.dissolve`): a quarter of the time
    # would go into looking for garbage among them.
    gc.set_threshold(*COLLECTING)
    return FileAnalyzer(group, work)


@dataclass(frozen=True, slots=True)
class _Employee:
    analyzer: FileAnalyzer
    folder: str


# In a process of the pool.
_employee: _Employee | None = None


def _employ(group: ProjectFiles, work: CheckRequest, folder: str) -> None:
    global _employee
    # An interrupt ends the run: nobody wants a traceback from each of its processes.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _employee = _Employee(_analyst(group, work), folder)
    # All answers are written by then; taking hundreds of megabytes of trees apart, node by node, takes seconds.
    Finalize(None, os._exit, (0,), exitpriority=LAST)


def _employed(do: Callable[[FileAnalyzer, list[Task]], Answer], piece: list[Task]) -> str:
    """Do a piece; the file that holds the answer.

    A pipe takes a short message whole or not at all. Where a process ends in the middle of a long one (an interrupt, no
    memory left), its reader waits for the rest for ever.
    """
    assert _employee is not None
    answer = do(_employee.analyzer, piece)
    with tempfile.NamedTemporaryFile(dir=_employee.folder, delete=False) as file:
        pickle.dump(answer, file, pickle.HIGHEST_PROTOCOL)
    return file.name


def _units(analyzer: FileAnalyzer, filenames: list[str]) -> Analysed:
    return analyzer.units(filenames)


def _finish(analyzer: FileAnalyzer, mendings: list[Mending]) -> list[Finished]:
    return [analyzer.finish(report, together) for report, together in mendings]


def _cut(tasks: Sequence[Task], sizes: Sequence[int], pieces: int) -> list[list[Task]]:
    """Cut tasks into pieces of about the same number of bytes; neighbours, which share imports, stay together."""
    goal = sum(sizes) / pieces
    cut: list[list[Task]] = []
    filled = goal
    for task, size in zip(tasks, sizes, strict=True):
        if filled >= goal:
            cut.append([])
            filled = 0.0
        cut[-1].append(task)
        filled += size
    return cut


def _size(filename: str) -> int:
    try:
        return os.stat(filename).st_size
    except OSError:
        return 0
