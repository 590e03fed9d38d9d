"""Which lines of a file ran: the inputs of a proof shall take every branch."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any


class LinesOfProject:
    """The lines that ran while this was open, by file, of the files that `wanted` chooses."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self._known: dict[str, bool] = {}
        self.rows: dict[str, set[int]] = {}

    def __enter__(self) -> LinesOfProject:
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        filename = frame.f_code.co_filename
        if filename not in self._known:
            self._known[filename] = self._wanted(filename)
        return self._line if self._known[filename] else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.rows.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return self._line


class LineCoverage(LinesOfProject):
    """The same of one file, and the functions of it that were entered."""

    def __init__(self, filename: str) -> None:
        super().__init__(filename.__eq__)
        self._filename = filename
        self._entered: set[CodeType] = set()

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        line = super()._called(frame, event, argument)
        if line is not None:
            self._entered.add(frame.f_code)
        return line

    def uncovered(self, text: str) -> list[int]:
        """Rows of statements, in functions that were entered, that never ran."""
        names = {(code.co_name, code.co_firstlineno) for code in self._entered}
        ran = self.rows.get(self._filename, set())
        missing: list[int] = []
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
            if (function.name, first) not in names:
                continue
            for statement in _statements(function.body):
                rows = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
                if not ran.intersection(rows):
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
