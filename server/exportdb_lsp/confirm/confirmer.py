"""The way into confirm: takes requests from any thread, gives each interpreter one export at a time."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb_rules.input_comment import CommentError
from exportdb_rules.source import split_lines

from exportdb_lsp.confirm import calls, targets
from exportdb_lsp.confirm.joining import Joining
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult, Frame, InputOrigin, Outcome
from exportdb_lsp.confirm.sides import sides
from exportdb_lsp.confirm.verdict import ResultBuilder
from exportdb_lsp.confirm.verification import VerifyRequest, VerifyResult, judge
from exportdb_lsp.confirm.watching import Watching
from exportdb_lsp.confirm.worker_process import WorkerError, WorkerProcess
from exportdb_lsp.files.rewriting import FileError, read_text_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_rules.finding import Mode

LONGEST_QUEUE = 32
# Seconds between two looks at whether who waits has been cancelled.
POLL = 0.05


class RequestError(Exception):
    """The request cannot be worked on at all: no such file, no such target, no such interpreter, a full queue."""


class Confirmer:
    """Runs exports. Thread-safe and blocking: `run` returns when the results are there.

    `low_priority` exports give way to whatever else the machine has to do, an editor above all.
    """

    def __init__(self, *, fresh: bool = False, low_priority: bool = False) -> None:
        self._fresh = fresh
        self._low_priority = low_priority
        self._guard = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._workers: dict[str, WorkerProcess] = {}
        self._closed = threading.Event()
        self._pending: dict[Any, Future[tuple[ExportResult, ...]]] = {}
        self._waiting = 0

    def run(
        self,
        request: ExportRequest,
        *,
        on_progress: Callable[[str], None] | None = None,
        cancelled: threading.Event | None = None,
    ) -> tuple[ExportResult, ...]:
        """Exports what the request names, in each of its modes, for each of its goals.

        The same request from two threads is worked on once. `on_progress` is called with a few words whenever another
        stage begins. A set `cancelled`, or `close`, ends the work; what was not finished is reported as a crash,
        "cancelled".

        Raises:
            FixNotApplicable: nothing could be tried; the message says why.
        """
        key = _key(request)
        future: Future[tuple[ExportResult, ...]] = Future()
        while True:
            with self._guard:
                shared = self._pending.get(key)
                if shared is None:
                    if self._waiting >= LONGEST_QUEUE:
                        raise RequestError(f"Export queue is full ({LONGEST_QUEUE} pending)")
                    self._pending[key] = future
                    self._waiting += 1
                    break
            results = self._shared(request, shared, cancelled)
            if results is not None:
                return results
        try:
            results = self._run(request, on_progress or _silent, cancelled)
        except BaseException as error:
            future.set_exception(error)
            raise
        else:
            future.set_result(results)
            return results
        finally:
            with self._guard:
                self._pending.pop(key, None)
                self._waiting -= 1

    def _shared(
        self, request: ExportRequest, work: Future[tuple[ExportResult, ...]], cancelled: threading.Event | None
    ) -> tuple[ExportResult, ...] | None:
        """What another thread's work on the same request comes to; None where that was cancelled, which means nothing to
        who still wants an answer."""
        while True:
            try:
                results = work.result(timeout=POLL)
            except (FutureTimeout, TimeoutError):
                if self._over(cancelled):
                    return tuple(_cancelled(request, mode) for mode in request.modes)
                continue
            given_up = any((r.outcome, r.exception) == (Outcome.CRASH, "Cancelled") for r in results)
            return None if given_up and not self._over(cancelled) else results

    def _run(
        self, request: ExportRequest, on_progress: Callable[[str], None], cancelled: threading.Event | None
    ) -> tuple[ExportResult, ...]:
        text = read(request)
        try:
            config = targets.configured(request.root)
            found = self._with_calls(request, text, config)
        except targets.ConfigError as error:
            raise RequestError(str(error)) from error
        except (SyntaxError, CommentError) as error:
            return self._unreadable(request, text, error)
        watching = Watching(self._task, request, text, on_progress, cancelled)
        results = watching.of_file(found)
        joining = Joining()
        chosen = watching.without_calls(targets.choose(found, request.name), results)
        if not chosen and not results:
            raise RequestError(_nothing(request, found))
        for target in chosen:
            elsewhere = watching.recorded(target) or watching.in_project(target)
            if elsewhere:
                results += elsewhere
                continue
            for mode in request.modes:
                on_progress(f"{target.name}, {mode.value}")
                for goal in request.goals or ("",):
                    result = self._one(request, text, target, mode, goal, on_progress, cancelled)
                    results.append(joining.joined(result, request, text) if request.findings else result)
        return tuple(results)

    def verify(
        self,
        request: VerifyRequest,
        *,
        on_progress: Callable[[str], None] | None = None,
        cancelled: threading.Event | None = None,
    ) -> tuple[VerifyResult, ...]:
        """Proves a rewrite on every target that the request names, in each of its modes.

        Raises:
            FixNotApplicable: nothing could be tried; the message says why.
        """
        tell = on_progress or _silent
        plain = ExportRequest(
            filename=request.filename,
            text=request.after,
            name=request.name,
            modes=request.modes,
            interpreter=request.interpreter,
            root=request.root,
            timeout=request.timeout,
            memory_limit=request.memory_limit,
            draft=False,
            documents=request.documents,
        )
        documents = request.documents if request.documents_before is None else request.documents_before
        try:
            config = targets.configured(request.root)
            found = self._with_calls(replace(plain, documents=documents), request.before, config)
        except (SyntaxError, CommentError, targets.ConfigError) as error:
            raise RequestError(f"{request.filename}: {error}") from error
        try:
            found_after = self._with_calls(plain, request.after, config)
        except (SyntaxError, CommentError):
            found_after = []
        chosen = targets.choose(found, request.name)
        if not chosen:
            raise RequestError(_nothing(plain, found))
        results: list[VerifyResult] = []
        for target in chosen:
            old, new = sides(request, target, found_after)
            for mode in request.modes:
                builder = ResultBuilder(plain, target.name, mode, request.after)
                job = {**_job(plain, request.after, new, mode), "task": "verify", "before": request.before}
                job["input_sources_before"] = _input_sources(old)
                if request.documents_before is not None:
                    job["documents_before"] = dict(request.documents_before)
                ended = self._work(plain, job, builder, tell, cancelled)
                results.append(judge(target.name, mode, builder.single, builder.result(ended)))
        return tuple(results)

    def _with_calls(
        self, request: ExportRequest, text: str, config: dict[str, targets.InputSource]
    ) -> list[targets.Target]:
        """The targets of a file; the project is searched for calls only if somebody has need of one."""
        found = targets.find(text, request.filename, config)
        chosen = targets.choose(found, request.name)
        if not chosen or all(target.input_sources for target in chosen):
            return found
        names = [target.name for target in chosen if target.kind == "class" and not target.input_sources]
        made = calls.in_project(request.filename, text, request.root, request.documents, names)
        return targets.find(text, request.filename, config, made) if made else found

    def _unreadable(
        self, request: ExportRequest, text: str, error: SyntaxError | CommentError
    ) -> tuple[ExportResult, ...]:
        """A file that is no Python, or inputs that are none: every mode ends the same way, at that line."""
        row = (error.lineno if isinstance(error, SyntaxError) else error.row) or 1
        lines = split_lines(text)
        code = lines[row - 1].strip() if row <= len(lines) else ""
        syntax = isinstance(error, SyntaxError)
        return tuple(
            ExportResult(
                target=request.name or Path(request.filename).stem,
                filename=request.filename,
                mode=mode,
                outcome=Outcome.EAGER_ERROR if syntax else Outcome.NO_INPUTS,
                message=f"syntax error: {error.msg}" if isinstance(error, SyntaxError) else str(error),
                exception="SyntaxError" if syntax else None,
                frames=(Frame(request.filename, row, code),),
            )
            for mode in request.modes
        )

    def _one(
        self,
        request: ExportRequest,
        text: str,
        target: targets.Target,
        mode: Mode,
        goal: str,
        on_progress: Callable[[str], None],
        cancelled: threading.Event | None,
    ) -> ExportResult:
        builder = ResultBuilder(request, target.name, mode, text, goal)
        job = {**_job(request, text, target, mode), "goal": goal}
        ended = self._work(request, job, builder, on_progress, cancelled)
        return builder.result(ended)

    def _work(
        self,
        request: ExportRequest,
        job: dict[str, Any],
        builder: ResultBuilder,
        on_progress: Callable[[str], None],
        cancelled: threading.Event | None,
    ) -> dict[str, Any]:
        """One job on the interpreter's worker; its parts go to the builder."""

        def hear(part: dict[str, Any]) -> None:
            builder.add(part)
            if part["part"] == "stage":
                on_progress(f"{builder.target}, {builder.mode.value}: {part['stage']}")

        return self._task(request.interpreter, job, hear, cancelled)

    def _task(
        self,
        interpreter: str,
        job: dict[str, Any],
        hear: Callable[[dict[str, Any]], None],
        cancelled: threading.Event | None,
    ) -> dict[str, Any]:
        """One job on an interpreter's worker: how it ended. Its parts are heard, the version of torch first.

        Raises:
            FixNotApplicable: there is no such worker.
        """
        lock = self._lock(interpreter)
        while not lock.acquire(timeout=POLL):
            if self._over(cancelled):
                return {"how": "cancelled"}
        try:
            worker = self._worker(interpreter)
            ready = worker.start(cancelled) if worker is not None else None
            if worker is None or ready is None or self._over(cancelled):
                return {"how": "cancelled"}
        except WorkerError as error:
            raise RequestError(str(error)) from error
        else:
            hear({"part": "versions", "torch": ready.torch})
            try:
                return worker.run({**job, "low_priority": self._low_priority}, hear, cancelled)
            except WorkerError as error:
                if self._over(cancelled):
                    return {"how": "cancelled"}
                hear({"part": "internal", "message": str(error)})
                return {"how": "exit", "code": 70}
        finally:
            lock.release()

    def _over(self, cancelled: threading.Event | None) -> bool:
        """Whether nobody waits for the answer any more."""
        return self._closed.is_set() or (cancelled is not None and cancelled.is_set())

    def _lock(self, interpreter: str) -> threading.Lock:
        with self._guard:
            return self._locks.setdefault(interpreter, threading.Lock())

    def _worker(self, interpreter: str) -> WorkerProcess | None:
        """The worker of an interpreter, which may be starting still; None once all is closed.

        Known from its beginning, so that `close` ends one that starts.

        Raises:
            WorkerError: it cannot be started.
        """
        with self._guard:
            if self._closed.is_set():
                return None
            worker = self._workers.get(interpreter)
            if worker is None or not worker.alive:
                worker = self._workers[interpreter] = WorkerProcess(interpreter, fresh=self._fresh)
            return worker

    def worker(self, interpreter: str) -> WorkerProcess:
        """The warm worker of an interpreter; started where there is none that lives.

        Raises:
            WorkerError: it cannot be started.
        """
        worker = self._worker(interpreter)
        if worker is None or worker.start() is None:
            raise WorkerError("closed")
        return worker

    def close(self) -> None:
        """Ends all workers, those that start among them, and what they are running; no other one is started."""
        with self._guard:
            self._closed.set()
            workers, self._workers = list(self._workers.values()), {}
        for worker in workers:
            worker.close()


def _cancelled(request: ExportRequest, mode: Mode) -> ExportResult:
    """The result of work that was given up before anything is known of its targets."""
    name = request.name or Path(request.filename).stem
    return ResultBuilder(request, name, mode, request.text or "").result({"how": "cancelled"})


def _silent(_: str) -> None:
    """Nobody listens."""


def _key(request: ExportRequest) -> Any:
    fields = {**request.__dict__, "documents": tuple(sorted(request.documents.items()))}
    return tuple(fields.values())


def _job(request: ExportRequest, text: str, target: targets.Target, mode: Mode) -> dict[str, Any]:
    return {
        "task": "export",
        "mode": mode.value,
        "filename": request.filename,
        "text": text,
        "documents": dict(request.documents),
        "root": str(request.root),
        "target": {"name": target.name, "kind": target.kind},
        "input_sources": _input_sources(target),
        "dynamic": request.dynamic,
        "timeout": request.timeout,
        "memory_limit": request.memory_limit,
        "show_graph": request.show_graph,
        "train": request.train,
        "every_input": request.every_input,
        "draft": request.draft,
        "propose": request.propose,
        "trace_lines": request.trace_lines,
    }


def _input_sources(target: targets.Target) -> list[dict[str, Any]]:
    return [
        input_source.to_json() for input_source in (*target.input_sources, targets.InputSource(InputOrigin.INFERRED))
    ]


def _nothing(request: ExportRequest, found: list[targets.Target]) -> str:
    if request.name is not None:
        names = ", ".join(target.name for target in found) or "none"
        return f"{request.filename} has no target {request.name!r}; its targets: {names}"
    return f"{request.filename} has nothing to export: no nn.Module class with a forward, and no example inputs"


def read(request: ExportRequest) -> str:
    """The text to export.

    Raises:
        FixNotApplicable: there is no such file, or it is no text.
    """
    if request.text is not None:
        return request.text
    try:
        text = read_text_file(Path(request.filename)).text
    except FileError as error:
        raise RequestError(f"{request.filename}: {error}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
