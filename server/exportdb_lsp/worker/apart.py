"""Work in a process of its own that begins as a copy of this one: nothing of it is left behind here.

What is done beside a program (more calls of its model, another export of it) must not show in it: not in its random
numbers, its output, its files' positions, its counters.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from . import processes

# Seconds between two looks at whether a copy has ended, and between two at how much memory it has.
TICK, WEIGH = 0.02, 0.2


def possible() -> bool:
    """Whether this process can be copied. Accelerators cannot be used in a copy, and macOS' libraries break in one."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        return False
    torch: Any = sys.modules.get("torch")
    return torch is None or not torch.cuda.is_initialized()


class Copy:
    """`work`, under way in a copy of this process, which prints to nowhere.

    `timeout` is in seconds, `memory_limit` in bytes that the copy may have for itself.

    Raises:
        OSError: no more processes.
    """

    def __init__(self, work: Callable[[], None], timeout: float, memory_limit: int) -> None:
        self._timeout = timeout
        self._memory_limit = memory_limit
        self._began = time.monotonic()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _live(work, parent)

    def wait(self) -> dict[str, Any]:
        """How it ended, in the words in which the supervisor tells of a job; nothing of it is left then."""
        how, status, weighed = "", 0, self._began
        while True:
            try:
                ended, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # the program waits for children of its own, and got ours
                ended = self.pid
            if ended == self.pid:
                break
            now = time.monotonic()
            if not how and now - self._began > self._timeout:
                how = "timeout"
            elif not how and now - weighed > WEIGH:
                weighed = now
                if self._memory() > self._memory_limit:
                    how = "memory"
            if how:
                for process in (*processes.descendants(self.pid), self.pid):
                    _kill(process)
            time.sleep(TICK if now - self._began > 1 else TICK / 10)
        result = {"how": how or "done", "code": 0, "seconds": time.monotonic() - self._began}
        if not how and os.WIFSIGNALED(status):
            result.update(how="signal", code=os.WTERMSIG(status))
        elif not how and os.WEXITSTATUS(status):
            result.update(how="exit", code=os.WEXITSTATUS(status))
        return result

    def _memory(self) -> int:
        """Pages that the copy still shares with the program count for half."""
        pids = (self.pid, *processes.descendants(self.pid))
        return sum(processes.fair_memory(process) for process in pids) + processes.unseen_memory(pids)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        return


def _silence() -> None:
    """Prints to nowhere from now on, also where the program prints to a file: under pytest, into a log."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    descriptors = {0, 1, 2}
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            descriptors.add(stream.fileno())
    # A handler of another module may well keep a stream that is neither of these.
    logging: Any = sys.modules.get("logging")
    for reference in list(getattr(logging, "_handlerList", ())):
        with suppress(Exception):
            descriptors.add(reference().stream.fileno())
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)


def _live(work: Callable[[], None], parent: int) -> None:
    code, own = 70, os.getpid()
    try:
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)
        # What the model starts, and lets go of, comes back to this process.
        processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
        if os.getppid() != parent:
            os._exit(70)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _silence()
        torch: Any = sys.modules.get("torch")
        if torch is not None:
            torch.set_num_threads(1)  # the threads that torch computes with are not copied
        work()
        code = 0
    except BaseException:
        code = 70
    finally:
        if os.getpid() == own:
            for process in processes.descendants(own):
                _kill(process)
        os._exit(code)
