"""A forked child that waits for its job, and meanwhile does what a process has to do once before it exports fast.

The first export of a process takes several times as long as the next one: torch builds tables, fills caches and
imports what it had no need of before. The warm parent may not do that, because it runs no operator. A child may; so
one is forked ahead of time, exports something small where an editor is to be answered fast, and then waits to be given
somebody's model. Commands export one model after the other, or only one: to them that is work for nothing.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterable
from typing import Any

from . import child as child_process
from . import processes
from .wire import Message, Reporter, Unpacker, pack, write_all

# Who exports one model after the other gives the next job within this many seconds: it should not wait for a warmup.
GRACE = 0.3
# A warmup takes a fraction of a second. One that takes so long hangs, and the child with it.
LONGEST_WARMUP = 30


class PreforkedChild:
    """A child without a job, seen from the parent. It holds none of the `inherited` descriptors."""

    def __init__(self, inherited: Iterable[int], low_priority: bool) -> None:
        self.low_priority = low_priority
        """It gives way to others already, and cannot take that back."""
        jobs, self._jobs = os.pipe()
        self.report, report = os.pipe()
        self.prints, prints = os.pipe()
        parent = os.getpid()
        try:
            self.pid = os.fork()
        except OSError:
            for descriptor in (jobs, self._jobs, self.report, report, self.prints, prints):
                os.close(descriptor)
            raise
        if self.pid == 0:
            try:
                for descriptor in (*inherited, self._jobs, self.report, self.prints):
                    os.close(descriptor)
                _live(parent, jobs, report, prints, low_priority)
            finally:
                os._exit(70)
        for descriptor in (jobs, report, prints):
            os.close(descriptor)

    def assign(self, job: Message) -> None:
        """Hands over the job. From now on the process and both pipes belong to whoever watches over the job."""
        # A process that is gone by now shows when it is watched.
        with contextlib.suppress(OSError):
            write_all(self._jobs, pack({**job, "given": time.monotonic()}))
        os.close(self._jobs)

    def alive(self) -> bool:
        """Whether it can take a job. One that has ended stays a zombie, so that its number is not given away."""
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def end(self) -> None:
        """It is not needed any more."""
        for descriptor in (self._jobs, self.report, self.prints):
            os.close(descriptor)
        if self.alive():
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _live(parent: int, jobs: int, report: int, prints: int, low_priority: bool) -> None:
    """The whole life of the child; returns when there is no job."""
    os.setsid()
    processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    if low_priority:
        os.nice(child_process.NICE)
        if not _waiting(jobs, GRACE):
            _rehearse(jobs)
    job = _receive(jobs)
    if job is None:
        return
    os.close(jobs)
    os.dup2(prints, 1)
    os.dup2(prints, 2)
    os.close(prints)
    if low_priority:
        job["low_priority"] = False  # it is
    # Who watches over it has counted the time since then, a rest of the warmup included.
    job["timeout"] = max(job["timeout"] - (time.monotonic() - job.pop("given")), 0.1)
    child_process.shut_in(job)
    child_process.run(job, Reporter(report, bytes.fromhex(job.pop("secret")), job["fallback"]))


def _waiting(descriptor: int, seconds: float) -> bool:
    return bool(select.select([descriptor], [], [], seconds)[0])


def _receive(descriptor: int) -> Message | None:
    """The job; None where the parent has closed the pipe without one."""
    unpacker = Unpacker()
    while True:
        data = os.read(descriptor, 1 << 16)
        if not data:
            return None
        for message in unpacker.feed(data):
            return message


class _Nobody:
    """Takes the reports of a warmup."""

    def send(self, message: Message) -> None:
        """Says it to nobody."""


def _rehearse(jobs: int) -> None:
    """Exports something small in each mode, as long as no job waits; whatever goes wrong with it is no matter."""
    from . import warmup

    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LONGEST_WARMUP)
    nobody: Any = _Nobody()
    for mode in ("non-strict", "strict"):
        if not _waiting(jobs, 0):
            with contextlib.suppress(Exception):
                warmup.run_warmup(mode, nobody)
    signal.alarm(0)
