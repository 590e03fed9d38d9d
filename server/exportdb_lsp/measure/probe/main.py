"""The process: one request on standard input, one line of JSON for each measured case and mode on standard output.

torch is imported once; every case runs in a forked child with a time limit, so that a crash, a hang or an `os._exit`
costs one record.
"""

# pyright: basic
from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class ProbeJob:
    """One case in one mode; `original` is the file that it was rewritten from."""

    name: str
    path: str
    mode: str
    original: str | None = None
    again: bool = False


def main() -> None:
    """Read the request, measure, answer.

    The request: `{"cases": [{"name": …, "path": …, "original": …}], "official": bool, "modes": […], "timeout": seconds,
    "jobs": number}`; `original` may be left out. The answers: `{"torch": …, "python": …, "total": …}` first, then
    `{"case": …, "mode": …, "record": {…}}` in any order.
    """
    request = json.loads(sys.stdin.read())
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What a case prints goes nowhere: the wire holds records only.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)

    import torch

    from .measure import warm_up

    # A thread that exists before the fork does not exist after it.
    torch.set_num_threads(1)
    warm_up()
    # The children share torch's objects with this process. A collection in a child would touch, and so copy, all of them.
    gc.collect()
    gc.disable()
    gc.freeze()
    cases = list(request["cases"])
    if request.get("official"):
        cases += official()
    jobs = [ProbeJob(**case, mode=mode) for case in cases for mode in request["modes"]]

    def say(message: dict[str, Any]) -> None:
        wire.write(json.dumps(message) + "\n")
        wire.flush()

    version = ".".join(str(part) for part in sys.version_info[:2])
    say({"torch": torch.__version__.split("+")[0], "python": version, "total": len(jobs)})
    _fork_all(jobs, request["timeout"], request.get("jobs", 1), say)


def official() -> list[dict[str, str]]:
    """The programs of ExportDB that ship inside torch."""
    import torch._export.db.examples as examples

    folder = os.path.dirname(examples.__file__)
    return [
        {"name": f"official/{file[:-3]}", "path": os.path.join(folder, file)}
        for file in sorted(os.listdir(folder))
        if file.endswith(".py") and file != "__init__.py"
    ]


def _fork_all(jobs: list[ProbeJob], timeout: float, width: int, say: Any) -> None:
    waiting = list(reversed(jobs))
    running: dict[int, tuple[int, ProbeJob, float, bytes]] = {}
    while waiting or running:
        while waiting and len(running) < max(1, width):
            job = waiting.pop()
            pid, end = _start(job)
            running[end] = (pid, job, time.monotonic() + timeout, b"")
        ready, _, _ = select.select(list(running), [], [], 0.5)
        for end in list(running):
            pid, job, deadline, text = running[end]
            if end in ready:
                piece = os.read(end, 65536)
                if piece:
                    running[end] = (pid, job, deadline, text + piece)
                    continue
                record, crashed = _finish(pid, text)
                if crashed and not job.again:
                    # torch's threads and forks do not always get on: a crash counts if it happens twice.
                    os.close(end)
                    del running[end]
                    waiting.append(replace(job, again=True))
                    continue
            elif time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                record = {"verdict": None, "error": f"no result after {timeout:g} s"}
            else:
                continue
            os.close(end)
            del running[end]
            say({"case": job.name, "mode": job.mode, "record": record})


def _start(job: ProbeJob) -> tuple[int, int]:
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    os.close(read)
    try:
        # What the case says on standard error (Dynamo's log, for one) is not ours to show.
        os.dup2(1, 2)
        from .measure import measure

        record = measure(job.name, job.path, job.mode == "strict", job.original)
    except BaseException as error:
        record = {"verdict": None, "error": f"{type(error).__name__}: {error}"[:300]}
    with os.fdopen(write, "w", encoding="utf-8") as out:
        json.dump(record, out)
    os._exit(0)


def _finish(pid: int, text: bytes) -> tuple[dict[str, Any], bool]:
    """What the child said before it ended, and whether it ended without saying it."""
    _, status = os.waitpid(pid, 0)
    try:
        return json.loads(text), False
    except ValueError:
        ending = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
        return {"verdict": None, "error": f"the process ended without a result ({ending})"}, True
