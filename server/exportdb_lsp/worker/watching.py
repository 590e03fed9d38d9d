"""What becomes of a watched call: it is judged on copies, once for each mode and goal, and reported with its number."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import itertools
import os
import sys
from contextlib import suppress
from typing import Any

from . import apart
from .call_job import CallJob
from .job import Stop
from .load import file_of
from .stack import Frame, FrameClassifier, describe
from .unbacked import UnbackedDim
from .watcher import WatchedCall
from .wire import MarkedSender, Message, Reporter

# How deep into nested inputs a record of a call looks, and how many items of each it keeps.
DEEPEST, MOST = 6, 200

Run = tuple[str, str]
"""A mode, and the goal: '' where the exported program is the end."""


def place_of(call: WatchedCall, users: FrameClassifier) -> Frame:
    """The innermost line of the project that the call comes from, else the line that it stands on."""
    frames = users.live(call.frame)
    best = next((frame for frame in reversed(frames) if frame["project"]), frames[-1] if frames else None)
    if best is not None:
        return best
    frame: Any = call.frame
    return {"filename": frame.f_code.co_filename, "row": frame.f_lineno, "function": frame.f_code.co_name, "code": ""}


class Judging:
    """One call under judgement. Copies of the process work on it while the program goes on with its own."""

    def __init__(self, base: Message, reporter: Reporter, call: WatchedCall, place: Frame) -> None:
        self._reporter = reporter
        self._mark = f"{os.getpid()}.{call.number}"
        self._base = base
        self._call = call
        self._place = place
        self._runs = wanted_runs(call, base)
        self._copies: list[apart.Copy | None] = []
        reporter.send(
            {
                "part": "call",
                "call": self._mark,
                "api": call.api,
                "filename": place["filename"],
                "row": place["row"],
                "function": place["function"],
                "model": type(call.model).__name__,
                "strict": call.strict,
                "runs": self._runs,
                "record": record(call),
            }
        )

    def begin(self, *, together: bool = False) -> None:
        """Start on the first run, or on all of them: where the program's own call comes next, which may change what
        the copies are of, and where several may report at a time."""
        for run in self._runs if together else self._runs[:1]:
            self._start(run)

    def _sender(self, run: Run, reporter: Reporter) -> MarkedSender:
        mode, goal = run
        return MarkedSender(reporter, call=self._mark, mode=mode, goal=goal)

    def _start(self, run: Run) -> None:
        try:
            copy = apart.Copy(lambda: self._judge(run, self._reporter.here()), **self._limits())
        except OSError as error:
            sender = self._sender(run, self._reporter)
            sender.send({"part": "internal", "message": f"cannot start a worker process: {error.strerror or error}"})
            copy = None
        self._copies.append(copy)

    def here(self) -> None:
        """Judge in this very process, where it cannot be copied: nothing may come after."""
        for run in self._runs:
            self._judge(run, self._reporter)
            self._sender(run, self._reporter).send({"part": "ended", "how": "done", "code": 0})

    def wait(self) -> None:
        """Until every run is judged."""
        for number, run in enumerate(self._runs):
            if number == len(self._copies):
                self._start(run)
            copy = self._copies[number]
            how = {"how": "exit", "code": 70} if copy is None else copy.wait()
            self._sender(run, self._reporter).send(dict(how, part="ended"))

    def made(self, error: BaseException | None) -> None:
        """What came of the program's own call."""
        part: Message = {"part": "made", "call": self._mark, "raised": error is not None}
        if error is not None:
            part.update(exception=type(error).__name__, detail=describe(error))
        self._reporter.send(part)

    def _limits(self) -> dict[str, Any]:
        return {"timeout": float(self._base["timeout"]), "memory_limit": int(self._base["memory_limit"])}

    def _judge(self, run: Run, reporter: Reporter) -> None:
        sender = self._sender(run, reporter)
        mode, goal = run
        place = f"{self._place['filename']}:{self._place['row']}"
        message = {**self._base, "mode": mode, "goal": goal, "implied": not self._base["goals"], "place": place}
        try:
            CallJob(message, sender, self._call).run()
        except Stop:
            return
        except BaseException as error:
            sender.send({"part": "internal", "message": f"{type(error).__name__}: {describe(error)}"})


def record(call: WatchedCall) -> dict[str, Any]:
    """What a call was given, as plain data: what the inputs are, and which of their axes are dynamic."""
    model = call.model
    kind: Any = type(model)
    with suppress(Exception):
        return {
            "class": kind.__qualname__,
            "class_file": file_of(sys.modules.get(kind.__module__)) or None,
            "args": [_argument(value) for value in call.args],
            "kwargs": {str(name): _argument(value) for name, value in call.kwargs.items()},
            "dynamic": _dynamic(call),
            "strict": call.strict,
        }
    return {}


def _argument(value: Any, depth: int = 0) -> dict[str, Any]:
    torch: Any = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        return {"tensor": {"dtype": str(value.dtype).removeprefix("torch."), "shape": [int(n) for n in value.shape]}}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"value": value if not isinstance(value, float) or value == value else None}
    if depth < DEEPEST and type(value) in (list, tuple):
        items = [_argument(item, depth + 1) for item in itertools.islice(value, MOST)]
        return {"list" if type(value) is list else "tuple": items}
    if depth < DEEPEST and type(value) is dict:
        pairs = itertools.islice(value.items(), MOST)
        return {"dict": {str(key): _argument(item, depth + 1) for key, item in pairs}}
    return {"object": f"{type(value).__module__}.{type(value).__qualname__}"}


def _dynamic(call: WatchedCall) -> list[list[Any]]:
    """Path, axis, kind of declaration, name and range, for every axis that is asked to be dynamic."""
    from . import shapes

    if not call.dynamic_shapes:
        return []
    torch: Any = sys.modules["torch"]
    wanted = shapes.asked(call.dynamic_shapes, call.model, call.args, call.kwargs, torch)
    rows: list[list[Any]] = []
    for leaf in shapes.leaves(call.model, call.args, call.kwargs):
        for axis, dim in sorted(wanted.get(leaf.position, {}).items()):
            low, high = shapes.declared_range(dim)
            name = getattr(dim, "__name__", None)
            hint = "dynamic" if "DYNAMIC" in str(dim) else "auto"
            kind = "unbacked" if isinstance(dim, UnbackedDim) else "named" if isinstance(name, str) else hint
            rows.append([list(leaf.path), axis, kind, name if isinstance(name, str) else None, low, high])
    return rows


def wanted_runs(call: WatchedCall, base: Message) -> list[Run]:
    """The modes that were asked for, else the one that the call chooses; each for every goal, else for that of the call."""
    modes = base["modes"] or ["strict" if call.strict else "non-strict"]
    return [(mode, goal) for mode in modes for goal in base["goals"] or [call.goal]]
