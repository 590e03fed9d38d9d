"""The calls of a file, reached by running what holds them, and judged where they stand."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType
from typing import Any

from . import apart, holders, instrument
from .stack import FrameClassifier, describe
from .watcher import WatchedCall, Watcher
from .watching import Judging
from .wire import Message, Reporter

Spans = list[tuple[int, int, bool]]
"""Rows of a function on which a call may come, first and last, and whether a loop makes it come again."""


class Reached(BaseException):
    """Ends a test at its last call: nothing behind the call is run."""


class HolderTask:
    """One holder under way."""

    def __init__(self, message: Message, reporter: Reporter) -> None:
        import torch

        self.message = message
        self.reporter = reporter
        self.filename = os.path.abspath(message["filename"])
        self.users = FrameClassifier(message["filename"], message["root"], os.path.dirname(torch.__file__))
        self.scopes: dict[int, Spans] = {int(key): [tuple(s) for s in v] for key, v in message["scopes"].items()}
        self.tests = message["holder"]["how"] in ("unittest", "pytest")
        self.unforeseen: set[FrameType] = set()
        self.thread = threading.get_ident()
        self.elsewhere = False
        """A call came from another thread: what this one has ahead does not show there."""
        self.watcher = Watcher(self.begin, self.passed)

    def run(self) -> None:
        """Until the last call is judged, or the program has ended without it."""
        self.reporter.send({"part": "stage", "stage": "reach"})
        os.chdir(self.message["folder"])
        self.watcher.install()
        self.reporter.send({"part": "left", **self._run()})

    def _run(self) -> dict[str, Any]:
        """How the program ended, which it did before or behind its calls."""
        nothing: dict[str, Any] = {"exception": "", "detail": "", "frames": []}
        try:
            holders.run(self.message)
        except holders.CannotHold as error:
            return {**nothing, "detail": str(error)}
        except BaseException as error:
            if isinstance(error, SystemExit) and error.code in (None, 0):
                return nothing
            frames = [frame for frame in self.users.raised(error) if frame["project"]]
            return {"exception": type(error).__name__, "detail": describe(error), "frames": frames}
        return nothing

    def begin(self, call: WatchedCall) -> instrument.Observer | None:
        """A call of the program, here or elsewhere."""
        sys.settrace(None)
        here = next(self.frames(call.frame), None)
        if here is None or not self._wanted(call):
            return None
        # Where the file has its part in the call: it may be a helper of another file that makes it.
        frame, row = here
        self.elsewhere = self.elsewhere or threading.get_ident() != self.thread
        self.unforeseen |= {current for current, at in self.frames(call.frame) if not self._foreseen(current, at)}
        place = {"filename": self.filename, "row": row, "function": frame.f_code.co_name, "code": ""}
        judging = Judging(self.message, self.reporter, call, place)
        if not apart.possible():
            judging.here()
            self.end()
        judging.begin()
        judging.wait()
        if self.message["first"]:
            self.end()
        if self.more(call.frame):
            return _UntilNoMore(self, call.frame)
        self.over()
        return None

    def passed(self, frame: FrameType | None) -> None:
        """A call that exports no model: it has no outcome of ours, but it was reached."""
        for _, row in self.frames(frame):
            self.reporter.send({"part": "passed", "row": row})

    def frames(self, frame: FrameType | None) -> Iterator[tuple[FrameType, int]]:
        """The frames of the file, innermost first, each with the row that it is on."""
        for current, row in traceback.walk_stack(frame):
            if os.path.abspath(current.f_code.co_filename) == self.filename:
                yield current, row

    def _wanted(self, call: WatchedCall) -> bool:
        """Whether the model is of the class that was asked for, if one was."""
        name = self.message["class"]
        return not name or any(name in (kind.__name__, kind.__qualname__) for kind in type(call.model).__mro__)

    def more(self, frame: FrameType | None, *, about_to_run: bool = False) -> bool:
        """Whether the program may come to another call: some function on the stack has rows ahead that lead to one.

        Args:
            frame: where it is.
            about_to_run: the row of this frame is about to run, not under way.
        """
        if self.elsewhere:
            return True
        for current, row in self.frames(frame):
            ahead = about_to_run and current is frame
            if current in self.unforeseen:
                return True
            for first, last, again in self._spans(current):
                if row < first or ((again or ahead) and first <= row <= last):
                    return True
        return False

    def _spans(self, frame: FrameType) -> Spans:
        code = frame.f_code
        return self.scopes.get(0 if code.co_name == "<module>" else code.co_firstlineno, [])

    def _foreseen(self, frame: FrameType, row: int) -> bool:
        """Whether a call was expected from this row. One that came through a table of functions, or a decorator that
        registers them, was not: then any row ahead may lead to the next one."""
        inner = frame.f_code.co_name.startswith("<") and frame.f_code.co_name != "<module>"
        return inner or any(first <= row <= last for first, last, _ in self._spans(frame))

    def over(self) -> None:
        """The last call is behind: a test ends here, and the next one begins; a program ends.

        Raises:
            Reached: always, of a test.
        """
        if self.tests:
            raise Reached
        self.end()

    def end(self) -> None:
        """Leave at once: what the program would do behind the call is not run."""
        self.reporter.send({"part": "done"})
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(0)


class _UntilNoMore:
    """Lets the program go on with its call, and ends it on the first line behind which no other one can come."""

    def __init__(self, task: HolderTask, frame: FrameType | None) -> None:
        self._task = task
        self._frame = frame

    def returned(self, value: Any) -> Any:
        """From here on each line of the functions that led here is looked at."""
        self._watch()
        return value

    def raised(self, error: BaseException) -> None:
        """The program may go on all the same."""
        self._watch()

    def _watch(self) -> None:
        for current, _ in self._task.frames(self._frame):
            current.f_trace = self._on_line
        sys.settrace(_no_trace)

    def _on_line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and not self._task.more(frame, about_to_run=True):
            sys.settrace(None)
            self._task.over()
        return self._on_line


def _no_trace(frame: FrameType, event: str, argument: Any) -> None:
    """Functions that are called from now on are not traced; those on the stack have a trace of their own."""


def do(message: Message, reporter: Reporter) -> None:
    """Runs one holder; everything that it has to say goes to `reporter`."""
    HolderTask(message, reporter).run()
