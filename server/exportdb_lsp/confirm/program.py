"""A user's program with its calls of torch.export watched: started as it would be alone, and read when it has ended."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb_lsp import leftovers, worker
from exportdb_lsp.confirm.watched import WatchedCalls
from exportdb_lsp.worker import processes
from exportdb_lsp.worker.wire import SECRET_BYTES, Recoverer

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from exportdb_lsp.confirm.request import ExportRequest
    from exportdb_lsp.confirm.result import ExportResult
    from exportdb_lsp.confirm.watched import Watched

# Seconds that a program has to end by itself once it was asked to.
GRACE = 5.0
# What a shell says of a program that ran out of the time that it was given.
TIMED_OUT = 124


class CannotStart(Exception):
    """There is no such interpreter, or no room for what it is to be told; the message says so."""


@dataclass(frozen=True)
class Program:
    """`python SCRIPT ARGS…`, or `python -m MODULE ARGS…`."""

    script: str
    """A path, or a module's name."""
    arguments: tuple[str, ...] = ()
    is_module: bool = False


@dataclass(frozen=True)
class Ended:
    """A program that has ended: its exit status as a shell has it, and its calls, in their order."""

    status: int
    results: tuple[ExportResult, ...]
    calls: tuple[Watched, ...]


def run(program: Program, request: ExportRequest, *, limit: float | None = None) -> Ended:
    """Run a program with the streams, the directory and the environment of this one.

    `request` has the interpreter, the root of the project, and the limits of each export; `limit` are seconds for the
    whole program, which is ended then with all that it has started.

    Raises:
        CannotStart: the interpreter cannot be started, or nothing can be written down for it.
    """
    secret = secrets.token_bytes(SECRET_BYTES)
    leftovers.sweep()
    try:
        temporary = leftovers.TemporaryFolder()
    except OSError as error:
        raise CannotStart(f"cannot create temporary files: {error.strerror or error}") from error
    with contextlib.closing(temporary) as made:
        folder = made.path
        report, described = os.path.join(folder, "report"), os.path.join(folder, "program.json")
        Path(described).write_text(json.dumps(_described(program, request, secret, report)), encoding="utf-8")
        main = Path(worker.__file__).with_name("__main__.py")
        try:
            process = subprocess.Popen([request.interpreter, str(main), "--run", described])
        except OSError as error:
            raise CannotStart(f"{request.interpreter} cannot be started: {error.strerror or error}") from error
        status = _wait(process, limit)
        watched = WatchedCalls(request, request.text or "")
        recoverer = Recoverer(secret)
        with contextlib.suppress(OSError), open(report, "rb") as file:
            while data := file.read(1 << 20):
                for part in recoverer.feed(data):
                    watched.add(part)
    ended: dict[str, Any] = {"how": "timeout" if status == TIMED_OUT else "exit", "code": max(status, 0)}
    if status < 0:
        ended = {"how": "signal", "code": -status}
    shell = status if status >= 0 else 128 - status
    return Ended(shell, tuple(watched.results(ended)), tuple(watched.calls.values()))


def _described(program: Program, request: ExportRequest, secret: bytes, report: str) -> dict[str, Any]:
    return {
        "secret": secret.hex(),
        "report": report,
        "module": program.script if program.is_module else "",
        "filename": program.script if not program.is_module else os.path.join(os.getcwd(), program.script),
        "argv": [program.script, *program.arguments],
        "root": str(request.root),
        "modes": None if request.own_mode else [mode.value for mode in request.modes],
        "mode": "",
        "goals": list(request.goals),
        "text": "",
        "documents": {},
        "dynamic": "given",
        "timeout": request.timeout,
        "memory_limit": request.memory_limit,
        "show_graph": request.show_graph,
        "train": False,
        "draft": request.draft,
    }


def _wait(process: subprocess.Popen[bytes], limit: float | None) -> int:
    """The status of the program. What ends this process ends the program, which then answers for both."""
    with _passed_on(process):
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            below = processes.descendants(process.pid)
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
            for pid in (process.pid, *(below | processes.descendants(process.pid))):
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
            return TIMED_OUT


@contextlib.contextmanager
def _passed_on(process: subprocess.Popen[bytes]) -> Generator[None]:
    """Signals that would end this process go to the program. An interrupt of the terminal reaches it by itself."""

    def forward(number: int, _: object) -> None:
        with contextlib.suppress(OSError):
            process.send_signal(number)

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in (signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])):
            before[number] = signal.signal(number, forward)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def summary(results: Sequence[ExportResult]) -> str:
    """One line for a program: how many exports there were, and how they ended."""
    counts: dict[str, int] = {}
    for result in results:
        counts[result.outcome.value] = counts.get(result.outcome.value, 0) + 1
    told = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
    return f"{len(results)} export{'s' if len(results) != 1 else ''}" + (f": {told}" if told else "")
