"""The calls that tracing follows from the entries: which function export reaches through which."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exportdb_rules.finding import Position, Span
from exportdb_rules.interpreter.machine import reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.interpreter.machine import Summary
    from exportdb_rules.project import Module


@dataclass(frozen=True, slots=True, order=True)
class TracedFunction:
    """A function that export traces. `selection` is its name, in `span`, the whole of it."""

    filename: str
    selection: Span
    span: Span
    name: str
    is_method: bool = False


@dataclass(frozen=True, slots=True, order=True)
class TracedCall:
    """A call in a traced function, at `span`, that leads to another one."""

    caller: TracedFunction
    callee: TracedFunction
    span: Span


@dataclass(frozen=True, slots=True)
class CallGraph:
    """Functions and calls, in the order of files and lines. `entries` are the functions that export begins with."""

    entries: tuple[TracedFunction, ...]
    calls: tuple[TracedCall, ...]

    def functions(self) -> set[TracedFunction]:
        """All that are traced."""
        return {*self.entries, *(call.caller for call in self.calls), *(call.callee for call in self.calls)}

    def at(self, filename: str, place: Position) -> list[TracedFunction]:
        """The functions that a place is about: those that the innermost call there leads to, else the one around it."""
        called = [call for call in self.calls if call.caller.filename == filename and _holds(call.span, place)]
        if called:
            innermost = max(call.span.start for call in called)
            return sorted({call.callee for call in called if call.span.start == innermost})
        around = [one for one in self.functions() if one.filename == filename and _holds(one.span, place)]
        return sorted(around, key=lambda one: one.span.start)[-1:]


def graph_of(roots: Iterable[tuple[FunctionInfo, Summary]]) -> CallGraph:
    """The graph of what happened in entries."""
    roots = list(roots)
    entries = {_traced(function) for function, _ in roots}
    calls: dict[TracedCall, None] = {}
    for summary in reached([root for _, root in roots]):
        calls.update(dict.fromkeys(_calls_of(summary)))
    return CallGraph(tuple(sorted(entries)), tuple(sorted(calls)))


def name_span(module: Module, node: ast.AST) -> Span:
    """The span of the name in a `def`; of a lambda, all of it."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return module.lines.span(node)
    column = module.lines.column(node.lineno, node.col_offset)
    column += len("async def " if isinstance(node, ast.AsyncFunctionDef) else "def ")
    return Span(Position(node.lineno, column), Position(node.lineno, column + len(node.name)))


def _calls_of(summary: Summary) -> Iterator[TracedCall]:
    if summary.function is None:
        return
    caller = _traced(summary.function)
    for site, inner in summary.calls:
        # What the interpreter did by itself (asking an object for its length) has no place in a text.
        if inner.function is not None and hasattr(site.node, "lineno") and site.module.filename == caller.filename:
            yield TracedCall(caller, _traced(inner.function), site.module.lines.span(site.node))


def _traced(function: FunctionInfo) -> TracedFunction:
    module = function.module.file
    name = function.name if function.cls is None else f"{function.cls.name}.{function.name}"
    span = module.lines.span(function.node)
    return TracedFunction(
        module.filename, name_span(module, function.node), span, name, is_method=function.cls is not None
    )


def _holds(span: Span, place: Position) -> bool:
    return span.start <= place <= span.end
