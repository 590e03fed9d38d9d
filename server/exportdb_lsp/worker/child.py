"""The process that runs the user's code: shut in first, then put to work."""

from __future__ import annotations

import builtins
import faulthandler
import os
import signal
import sys
import tempfile
import time
from typing import Any

from . import processes
from .wire import Message, Reporter

# A child that is told to stop has this long to say where it stands before the worker ends it.
LAST_WORDS = 0.4
# As they were before any code of the user ran; `_` is what an interactive session printed last.
_BUILTINS = {name: value for name, value in vars(builtins).items() if name != "_"}
# For an export beside an editor: how far it stands back where there are fewer cores than work.
NICE = 5


def shut_in(job: Message) -> None:
    """Limits, signals and directory. Everything here happens before the first line of the user's code.

    The process has a session of its own since it was started.
    """
    if os.name != "nt":
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if job.get("low_priority"):
            os.nice(NICE)
        _limit(job)
    os.chdir(job["cwd"])
    # What a model writes down for a while goes with its process, and counts towards its memory.
    os.environ.update(TMPDIR=job["cwd"], TEMP=job["cwd"], TMP=job["cwd"])
    tempfile.tempdir = None
    sys.argv[:] = [job["filename"]]
    timeout = float(job["timeout"])
    # The file stays open for as long as the process lives: faulthandler keeps the bare descriptor.
    faults = open(job["faults"], "wb")  # noqa: SIM115
    globals()["_faults"] = faults
    faulthandler.enable(faults)
    faulthandler.dump_traceback_later(max(timeout - LAST_WORDS, timeout / 2), file=faults)


def _limit(job: Message) -> None:
    import resource

    cores = os.cpu_count() or 1
    # Wall time is watched from outside; this ends what escapes from there.
    processor = int(float(job["timeout"]) * cores * int(job.get("rounds", 1)) + time.process_time()) + 5
    _lower(resource.RLIMIT_CPU, processor, processor + 5)
    _lower(resource.RLIMIT_CORE, 0, 0)
    if processes.LINUX and not _graphics():
        # Refusing an allocation gives the line that asked for it; the watch from outside can only kill.
        _lower(resource.RLIMIT_AS, _address_space() + int(job["memory_limit"]), None)


def _lower(which: int, soft: int, hard: int | None) -> None:
    import resource

    _, ceiling = resource.getrlimit(which)
    if ceiling != resource.RLIM_INFINITY:
        soft = min(soft, ceiling)
        hard = ceiling if hard is None else min(hard, ceiling)
    resource.setrlimit(which, (soft, soft if hard is None else hard))


def _graphics() -> bool:
    """CUDA maps far more address space than it uses."""
    return os.path.exists("/dev/nvidiactl") or os.path.exists("/dev/kfd")


def _address_space() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def run(job: Message, reporter: Reporter) -> None:
    """Does one job and leaves the process; nothing of the user's (atexit, threads, `__del__`) runs after it."""
    leave: Any = os._exit
    try:
        if job["task"] == "verify":
            from .verify import do
        elif job["task"] == "calls":
            from .calls import do
        else:
            from .job import do
        do(job, reporter)
        reporter.send({"part": "done"})
        leave(0)
    except BaseException as error:
        replaced = _restore()
        try:
            reporter.send({"part": "internal", "replaced": replaced, **_told(error, job["filename"])})
        finally:
            leave(70)


def _restore() -> list[str]:
    """Put back the built-in functions that the user's code has replaced; their names."""
    replaced = sorted([name for name, value in _BUILTINS.items() if vars(builtins).get(name) is not value])
    for name in replaced:
        setattr(builtins, name, _BUILTINS[name])
    return replaced


def _told(error: BaseException, filename: str) -> Message:
    """What was raised, and the innermost line of the user's file that it came through."""
    row, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            row = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = str(error)
    except Exception:
        text = "(its text cannot be had)"
    return {"message": f"{type(error).__name__}: {text}", "row": row}
