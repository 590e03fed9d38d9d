"""Which lines of the user's code an exception went through."""

from __future__ import annotations

import itertools
import linecache
import os
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

from .torch_text import written

Frame = dict[str, Any]

_INSTALLED = ("site-packages", "dist-packages")


class FrameClassifier:
    """Tells the user's files from torch's, Python's and ours."""

    def __init__(self, filename: str, root: str, torch_directory: str) -> None:
        self.filename = os.path.abspath(filename)
        self.root = _directory(root)
        paths = sysconfig.get_paths()
        self._standard = tuple(_directory(paths[key]) for key in ("stdlib", "platstdlib"))
        self._torch = _directory(torch_directory)
        self._ours = _directory(os.path.dirname(__file__))
        self._installed = any(part in _INSTALLED for part in self.filename.split(os.sep))
        self._package = _directory(_top_package(self.filename))

    def frame(self, filename: str, row: int, function: str = "") -> Frame | None:
        """A frame to show, or None for a line that is not the user's."""
        if filename.startswith("<") and filename != self.filename:
            return None
        path = os.path.abspath(filename)
        if path != self.filename and not self._shown(path):
            return None
        code = linecache.getline(filename, row).strip()
        return {"filename": path, "row": row, "function": function, "code": code, "project": self._mine(path)}

    def _shown(self, path: str) -> bool:
        if path.startswith((self._torch, self._ours)):
            return False
        if any(part in _INSTALLED for part in path.split(os.sep)):
            return True
        return not path.startswith(self._standard)

    def mine(self, filename: str) -> bool:
        """Whether a file is one of the project's own."""
        return (not filename.startswith("<") or filename == self.filename) and self._mine(os.path.abspath(filename))

    def _mine(self, path: str) -> bool:
        if path == self.filename:
            return True
        if self._installed:
            return path.startswith(self._package)
        inside = path[len(self.root) :] if path.startswith(self.root) else None
        return inside is not None and not any(part in _INSTALLED for part in inside.split(os.sep))

    def summaries(self, stack: Iterable[Any]) -> list[Frame]:
        """The user's frames of a `traceback.StackSummary`, outermost first."""
        return self._collect((s.filename, s.lineno or 0, s.name) for s in stack)

    def raised(self, error: BaseException) -> list[Frame]:
        """The user's frames that `error` was raised through."""
        return self._collect(
            (frame.f_code.co_filename, row, frame.f_code.co_name)
            for frame, row in traceback.walk_tb(error.__traceback__)
        )

    def span(self, error: BaseException, frame: Frame) -> tuple[int, int, int, int] | None:
        """What Python was at in `frame` when `error` went through it: first and last row, and the columns in UTF-8, from
        0, where it begins and ends. None before Python 3.11, and where the traceback does not go through the frame."""
        found: tuple[int, int, int, int] | None = None
        current = error.__traceback__
        while current is not None:
            code = current.tb_frame.f_code
            if current.tb_lineno == frame["row"] and os.path.abspath(code.co_filename) == frame["filename"]:
                every: Callable[[], Iterable[Any]] = getattr(code, "co_positions", tuple)
                here: Any = next(itertools.islice(every(), current.tb_lasti // 2, None), ())
                found = here if here and None not in here else None
            current = current.tb_next
        return found

    def live(self, frame: FrameType | None = None) -> list[Frame]:
        """The user's frames that are running now."""
        rows = [(f.f_code.co_filename, row, f.f_code.co_name) for f, row in traceback.walk_stack(frame)]
        return self._collect(reversed(rows))

    def written(self, text: str) -> list[Frame]:
        """The user's frames of a stack that was printed into `text`, in its order."""
        return self._collect(written(text))

    def _collect(self, rows: Iterable[tuple[str, int, str]]) -> list[Frame]:
        frames: list[Frame] = []
        for filename, row, function in rows:
            frame = self.frame(filename, row, function)
            if frame is not None and (not frames or frames[-1] != frame):
                frames.append(frame)
        # What called the first of the project's own is a test runner, or another program that runs its code.
        return frames[next((at for at, frame in enumerate(frames) if frame["project"]), 0) :]


def _directory(path: str) -> str:
    return os.path.join(os.path.abspath(path), "")


def _top_package(filename: str) -> str:
    directory = os.path.dirname(filename)
    while os.path.isfile(os.path.join(os.path.dirname(directory), "__init__.py")):
        directory = os.path.dirname(directory)
    return directory


def chain(error: BaseException) -> Iterator[BaseException]:
    """`error`, then what it was raised from, and so on."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def describe(error: BaseException) -> str:
    """`str(error)`, of an exception whose `__str__` may itself be broken."""
    try:
        return str(error)
    except BaseException:
        return "<an exception that cannot be printed>"


def shown(value: Any, most: int) -> str:
    """`repr(value)`, cut to so many characters, of an object whose `__repr__` may itself be broken."""
    try:
        text = repr(value)
    except BaseException:
        text = f"<a {type(value).__name__} that cannot be printed>"
    return text if len(text) <= most else text[: most - 3] + "..."
