"""The worker as the server sees it: start it in the user's interpreter, give it work, end it."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb_lsp import leftovers, worker
from exportdb_lsp.worker.wire import Preamble, Unpacker, pack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

START_TIMEOUT = 120.0
# The worker keeps the time of a job and ends what is left of it; so many seconds later it is taken to keep none.
LATE = 15.0
# Seconds between two looks at whether a worker that has work is stopped.
LOOK = 0.5

# What an interpreter and torch need to run. Anything else of the environment (tokens, keys, passwords) stays here.
# fmt: off
KEPT = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "TERM", "NO_COLOR",
    "PWD", "VIRTUAL_ENV", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA",
    "USERPROFILE", "PROGRAMDATA", "NUMBER_OF_PROCESSORS", "LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH", "CC", "CXX",
})
KEPT_PREFIXES = (
    "LC_", "PYTHON", "CONDA", "PYENV", "UV_PYTHON", "CUDA", "NVIDIA_VISIBLE", "HIP_", "ROCR_", "ROCM", "OMP_", "MKL_",
    "KMP_", "GOMP_", "OPENBLAS_", "TORCH", "PYTORCH", "TRITON", "HF_", "HUGGINGFACE", "TRANSFORMERS_", "XDG_",
)
# fmt: on
SECRET_WORDS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY", "ACCESS_KEY", "PRIVATE")


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that the user's code gets to see."""
    return {
        name: value
        for name, value in given.items()
        if (name.upper() in KEPT or name.upper().startswith(KEPT_PREFIXES))
        and not any(word in name.upper() for word in SECRET_WORDS)
    }


class WorkerError(Exception):
    """The worker cannot be had: no such interpreter, no torch in it (`no_torch`), or it ended. The message says which."""

    def __init__(self, message: str, *, no_torch: bool = False) -> None:
        super().__init__(message)
        self.no_torch = no_torch


@dataclass(frozen=True)
class Ready:
    """What a worker says of itself. `place` is the folder of its torch; `fork`: its exports are forked from it."""

    torch: str
    place: str
    python: str
    executable: str
    fork: bool


class WorkerProcess:
    """One worker, which is being started: `start` waits for it. Its owner gives it one job at a time; `close` may be
    called from any thread.

    Raises:
        WorkerError: the interpreter cannot be started.
    """

    def __init__(self, interpreter: str, *, fresh: bool = False, cwd: str | None = None) -> None:
        self.interpreter = interpreter
        self.ready: Ready | None = None
        """What it said of itself, once it has started."""
        self._until = time.monotonic() + START_TIMEOUT
        self._closed = threading.Event()
        self._jobs = 0
        self._child: int | None = None
        self.spare: int | None = None
        """The process that waits for the next job, once there is one."""
        main = Path(worker.__file__).with_name("__main__.py")
        leftovers.sweep()
        try:
            self._folder = leftovers.TemporaryFolder()
        except OSError as error:
            raise WorkerError(f"cannot create temporary files: {error.strerror or error}") from error
        try:
            self._process = subprocess.Popen(
                [interpreter, str(main), "--folder", self._folder.path, *(["--fresh"] if fresh else [])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**environment(os.environ), leftovers.VARIABLE: self._folder.name},
                cwd=cwd,
                start_new_session=True,
            )
        except OSError as error:
            self._folder.close()
            raise WorkerError(f"{interpreter} cannot be started: {error.strerror or error}") from error
        self._messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._complaints = b""
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        unpacker, skip = Unpacker(), Preamble()
        with self._process.stdout as stream, suppress(OSError, ValueError):
            while data := os.read(stream.fileno(), 1 << 18):
                for message in unpacker.feed(skip.feed(data)):
                    if message["kind"] == "spare":
                        self.spare = message["pid"]
                    else:
                        self._messages.put(message)
        self._messages.put(None)

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream, suppress(OSError, ValueError):
            while data := os.read(stream.fileno(), 1 << 14):
                self._complaints = (self._complaints + data)[-4096:]

    def start(self, cancelled: threading.Event | None = None) -> Ready | None:
        """Wait until it has started; None where `cancelled` was set, or it was closed, before that.

        Raises:
            WorkerError: it cannot be had.
        """
        while self.ready is None:
            if self._closed.is_set() or (cancelled is not None and cancelled.is_set()):
                return None
            try:
                message = self._messages.get(timeout=0.05)
            except queue.Empty:
                if time.monotonic() < self._until:
                    continue
                self.close()
                raise self._cannot_run(f"did not answer within {START_TIMEOUT:.0f} s") from None
            if self._closed.is_set():
                return None
            self.ready = self._introduced(message)
        return self.ready

    def _introduced(self, message: dict[str, Any] | None) -> Ready:
        if message is None:
            self.close()
            said = self._complaints.decode("utf-8", "replace").strip().splitlines()
            raise self._cannot_run(said[-1] if said else "exited immediately")
        if message["kind"] == "unusable":
            self.close()
            if message["missing"]:
                raise WorkerError(
                    f"{self.interpreter} (Python {message['python']}) has no usable torch: {message['message']}; "
                    "install torch there, or name the interpreter of your model (--python, setting `interpreter`)",
                    no_torch=True,
                )
            raise WorkerError(f"{self.interpreter}: importing torch failed: {message['message']}")
        return Ready(message["torch"], message["place"], message["python"], message["executable"], message["fork"])

    def _cannot_run(self, reason: str) -> WorkerError:
        return WorkerError(f"{self.interpreter} cannot run the worker: {reason}")

    @property
    def alive(self) -> bool:
        """Whether it can take another job."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process id of the warm parent."""
        return self._process.pid

    def run(
        self,
        job: dict[str, Any],
        on_part: Callable[[dict[str, Any]], None],
        cancelled: threading.Event | None = None,
    ) -> dict[str, Any]:
        """Does one job and returns how it ended; what it reports on the way goes to `on_part`.

        Raises:
            WorkerError: the worker itself ended. It must be replaced.
        """
        self._jobs += 1
        number = self._jobs
        self._send({**job, "kind": "run", "id": number})
        told = False
        limit = float(job["timeout"])
        deadline, looked = time.monotonic() + limit + LATE, time.monotonic()
        while True:
            if cancelled is not None and cancelled.is_set() and not told:
                told = True
                self._send({"kind": "cancel", "id": number})
                deadline = min(deadline, time.monotonic() + LATE)
            now = time.monotonic()
            if now - looked > LOOK:
                looked = now
                self._resume()
            try:
                message = self._messages.get(timeout=0.05)
            except queue.Empty:
                if now > deadline:
                    self._gone()
                    return {"how": "cancelled" if told else "timeout", "code": 0, "seconds": now - deadline + limit}
                continue
            if message is None:
                self._gone()
                raise WorkerError("the worker process was terminated externally")
            if message.get("id") != number:
                continue
            if message["kind"] == "started":
                self._child = message["pid"]
            elif message["kind"] == "part":
                on_part(message["part"])
                if message["part"]["part"] == "call" and not told:  # the worker gives each call its time
                    deadline = time.monotonic() + limit * (len(message["part"]["runs"]) + 1) + LATE
            elif message["kind"] == "ended":
                self._child = None
                return message

    def _resume(self) -> None:
        """Let a stopped worker go on: a model that sends SIGSTOP to its parent would stop the one who keeps its time."""
        if os.name == "nt":
            return
        with suppress(OSError):
            stopped = os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
            if stopped is not None:
                os.kill(self.pid, signal.SIGCONT)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(pack(message))
            self._process.stdin.flush()
        except (OSError, ValueError) as error:  # it is gone, or `close` was called in another thread
            self._gone()
            raise WorkerError("the worker process was terminated externally") from error

    def _gone(self) -> None:
        """A parent that was killed leaves its child to us. One that waits for a job notices by itself."""
        child, self._child = self._child, None
        if child is not None and os.name != "nt":
            with suppress(OSError):
                os.killpg(child, signal.SIGKILL)
        self.close()

    def close(self) -> None:
        """Ends the worker; it ends what it has running when the wire closes, and is not asked a second time."""
        self._closed.set()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._resume()
        try:
            self._process.wait(timeout=5 if self.ready is not None else 0)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        # Also what a model started that is no child of a killed worker any more.
        self._folder.close()

    def _kill(self) -> None:
        """Ends the process and, where it is a script that has started the interpreter, the group that it leads."""
        if os.name == "nt":
            self._process.kill()
            return
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
