"""Proof of a rewrite: eager before = eager after = exported after, on inputs that take every branch."""

# torch publishes partial types only, and the inputs of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import ast
import sys
from types import CodeType, FrameType
from typing import Any

from . import compare, examples, values
from .job import Job, Stop
from .stack import describe
from .wire import Message, Reporter

# Every proof makes these calls; while a line of the old code was never run, up to MOST_CALLS are made in search of it.
KINDS = ("given", "fresh", "negated", "zero", "positive", "negative", "large", "given")
MOST_CALLS = 40


class Lines:
    """The lines of one file that ran while this was open."""

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self.ran: set[int] = set()
        self.entered: set[CodeType] = set()

    def __enter__(self) -> Lines:
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != self.filename:
            return None
        self.entered.add(frame.f_code)
        return self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.ran.add(frame.f_lineno)
        return self._line

    def untaken(self, text: str) -> list[int]:
        """Rows of statements, in functions that were entered, that never ran."""
        names = {(code.co_name, code.co_firstlineno) for code in self.entered}
        missing: list[int] = []
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
            if (function.name, first) not in names:
                continue
            for statement in _statements(function.body):
                rows = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
                if not any(row in self.ran for row in rows):
                    missing.append(statement.lineno)
        return sorted(set(missing))


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not docstring and not isinstance(statement, (ast.Pass, ast.Global, ast.Nonlocal)):
            found.append(statement)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for name in ("body", "orelse", "finalbody"):
            found += _statements(getattr(statement, name, []))
        for handler in getattr(statement, "handlers", []):
            found += _statements(handler.body)
    return found


class Verification(Job):
    """One proof in one mode."""

    def run(self) -> None:
        """Loads both texts, exports the new one, then asks all three the same questions."""
        self.send({"part": "versions", "torch": str(self.torch.__version__), "python": sys.version.split()[0]})
        old = self.example(self.message["before"])
        sys.modules.pop(str(type(old.model).__module__), None)
        new = self.example(self.message["text"])
        missing = new.model.load_state_dict(old.model.state_dict(), strict=False)
        if missing.missing_keys or missing.unexpected_keys:
            keys = ", ".join([*missing.missing_keys, *missing.unexpected_keys])
            self.send({"part": "mismatch", "sides": "state", "call": 0, "place": "state_dict", "detail": keys})
            return
        program, _ = self.exported(new)
        self.stage("compare")
        self._ask(old, new, program)

    def _ask(self, old: examples.Example, new: examples.Example, program: Any) -> None:
        inputs = (old.args, old.kwargs)
        names = examples.names_of(old.model, old.args)
        lines = Lines(self.message["filename"])
        random = compare.draws_random_numbers(program.exported)
        before, after, exported = old.another(), new.another(), program.module()
        calls = raised = 0
        for number in range(MOST_CALLS):
            extra = number - len(KINDS)
            if extra >= 0 and not lines.untaken(self.message["before"]):
                break
            if number < len(KINDS):
                given = values.vary(inputs, 200 + number, KINDS[number])
            elif extra < len(old.extra):
                given = (old.extra[extra], old.kwargs)
            else:
                given = values.vary(inputs, 200 + number, ("fresh", "scaled")[number % 2])
            with lines:
                first = compare.call(before, given, 200 + number, reseed=random)
            second = compare.call(after, given, 200 + number, reseed=random)
            third = compare.call(exported, given, 200 + number, reseed=random)
            calls += 1
            for sides, left, right in (("eager", first, second), ("exported", first, third)):
                difference = _strictly(left, right, names)
                if difference is None and left.error is None and sides == "exported":
                    difference = compare.states(before, exported)
                if difference is not None:
                    place, detail = difference
                    told = {"part": "mismatch", "sides": sides, "call": calls, "place": place, "detail": detail}
                    self.send(told)
                    return
            if first.error is not None:
                # A call that raised may have written half of what it writes.
                raised += 1
                before, after, exported = old.another(), new.another(), program.module()
        untaken = lines.untaken(self.message["before"])
        self.send({"part": "verified", "calls": calls, "raised": raised, "untaken": untaken})


def _strictly(left: compare.Answer, right: compare.Answer, names: list[str]) -> compare.Difference | None:
    """Like `judge`, but what raises before must raise after."""
    if left.error is not None and right.error is None:
        text = describe(left.error).strip().split("\n")[0][:200]
        return "output", f"the old code raises {type(left.error).__name__} ({text}), the new one answers"
    return compare.judge(left, right, names)


def do(message: Message, reporter: Reporter) -> None:
    """Runs one proof; everything that it has to say goes to `reporter`."""
    try:
        Verification(message, reporter).run()
    except Stop:
        return
