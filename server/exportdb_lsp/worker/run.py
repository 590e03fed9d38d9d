"""A user's program, run as `python SCRIPT` or `python -m MODULE` would run it, with its calls of torch.export watched.

The program has its own arguments, streams, working directory, environment and exit status. What is found out about its
calls goes to a file; what is done to find it out happens in copies of the process.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import runpy
import sys
import types
from contextlib import suppress
from typing import Any, NoReturn

from .watcher import WatchedCall, Watcher
from .wire import Message, Reporter

# The first thing that every call does, and half of its time. Each copy of the process would do it again.
IMPORTED_FIRST = "torch.export._trace"


class WatchedProgram:
    """A program that is run and watched. `message` says what it is, and where to report."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.reporter = Reporter(-1, bytes.fromhex(message.pop("secret")), message["report"])
        self._users: Any = None

    def begin(self, call: WatchedCall) -> Any:
        """The program is about to export something."""
        from . import apart
        from .stack import FrameClassifier
        from .watching import Judging, place_of

        torch: Any = sys.modules["torch"]
        if self._users is None:
            self._users = FrameClassifier(
                self.message["filename"], self.message["root"], os.path.dirname(torch.__file__)
            )
        place = place_of(call, self._users)
        base = dict(self.message, filename=place["filename"])
        judging = Judging(base, self.reporter.here(), call, place)
        if not apart.possible():
            return _OwnOutcome(judging)
        with suppress(Exception):  # what is wrong with it, the call says
            importlib.import_module(IMPORTED_FIRST)
        judging.begin(together=True)
        return _Outcome(judging)


class _Outcome:
    """Waits for the judgement before the program learns what came of its call."""

    def __init__(self, judging: Any) -> None:
        self._judging = judging

    def returned(self, value: Any) -> Any:
        """It has a program."""
        self._judging.wait()
        self._judging.made(None)
        return value

    def raised(self, error: BaseException) -> None:
        """It has an error."""
        self._judging.wait()
        self._judging.made(error)


class _OwnOutcome(_Outcome):
    """Where a process cannot be copied: the call of the program is all that is known."""

    def returned(self, value: Any) -> Any:
        """It has a program, which nobody has run beside eager."""
        self._judging.made(None)
        return value

    def raised(self, error: BaseException) -> None:
        """It has an error."""
        self._judging.made(error)


def main(path: str) -> None:
    """Run the program that the file at `path` describes; the file is removed before that."""
    with open(path, encoding="utf-8") as file:
        message: Message = json.load(file)
    os.unlink(path)
    sys.argv[:] = message["argv"]
    Watcher(WatchedProgram(message).begin).install()
    here: Any = types.ModuleType("__main__")
    here.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = here
    try:
        if message["module"]:
            if not getattr(sys.flags, "safe_path", False):
                sys.path.insert(0, os.getcwd())
            runner: Any = runpy
            runner._run_module_as_main(message["module"], alter_argv=True)
        else:
            _script(message["filename"], here)
    except SystemExit:
        raise
    except BaseException as error:
        _uncaught(error)


def _script(filename: str, module: types.ModuleType) -> None:
    real = os.path.realpath(filename)
    if os.path.isdir(real) or real.endswith((".zip", ".pyz")):
        runner: Any = runpy
        runner.run_path(filename, run_name="__main__")
        return
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, os.path.dirname(real))
    with io.open_code(real) as file:
        source = file.read()
    from importlib.machinery import SourceFileLoader

    module.__dict__.update(
        __file__=os.path.abspath(filename), __loader__=SourceFileLoader("__main__", filename), __spec__=None,
        __package__=None, __cached__=None,
    )  # fmt: skip
    exec(compile(source, os.path.abspath(filename), "exec", dont_inherit=True), module.__dict__)


def _uncaught(error: BaseException) -> NoReturn:
    """What Python does with an error that nobody catches, without our lines in the traceback."""
    traceback = error.__traceback__
    ours = os.path.dirname(os.path.abspath(__file__))
    while traceback is not None and _is_runner(traceback.tb_frame.f_code.co_filename, ours):
        traceback = traceback.tb_next
    # A syntax error of the program itself has no line of it to show.
    sys.excepthook(type(error), error.with_traceback(traceback), traceback)
    raise SystemExit(130 if isinstance(error, KeyboardInterrupt) else 1)


def _is_runner(filename: str, ours: str) -> bool:
    return filename.startswith(ours) or filename in (runpy.__file__, "<frozen runpy>")
