"""Writes that a function takes back before it is left: the next call finds what the first one found."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.caches import once
from exportdb_rules.definitions import dotted, own_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.values import Site


@dataclass(frozen=True, slots=True)
class _Write:
    """An assignment; `path` are the branches and loops that it stands in, `always` whether it is in a `finally`."""

    statement: ast.Assign | ast.AugAssign
    path: tuple[ast.stmt, ...]
    always: bool


def taken_back(site: Site) -> bool:
    """Whether the function around a write to a name or an attribute, or the context manager, undoes whatever it does to it:
    `depth += 1` and `depth -= 1`, `old = depth` and `depth = old`."""
    return once(site, _taken_back)


def _taken_back(site: Site) -> bool:
    name = dotted(site.node) if isinstance(site.node, (ast.Name, ast.Attribute)) else ""
    functions = _functions_around(site)
    writes = [write for function in functions for write in _writes(function.body, name)]
    if not name or not any(node is site.node for write in writes for node in ast.iter_child_nodes(write.statement)):
        return False
    changes: list[_Write] = []
    for write in writes:
        if changes and write.path == changes[-1].path and _undoes(write.statement, changes[-1].statement):
            changed = changes.pop()
        elif changes and not write.path and _restores(write.statement, name, functions, site):
            changed, changes = changes[0], []
        else:
            changes.append(write)
            continue
        if not write.always and _may_leave(functions, changed.statement, write.statement):
            return False
    return not changes


def _functions_around(site: Site) -> list[ast.FunctionDef]:
    """The function that a place is in; both methods of a context manager."""
    found: list[ast.FunctionDef] = []
    around: list[ast.stmt] = list(site.module.body)
    while around:
        holder = next((n for n in around if any(inner is site.node for inner in ast.walk(n))), None)
        if holder is None:
            break
        if isinstance(holder, ast.FunctionDef):
            found = [holder]
            if holder.name in ("__enter__", "__exit__"):
                found = [m for m in around if isinstance(m, ast.FunctionDef) and m.name in ("__enter__", "__exit__")]
        around = [inner for inner in ast.iter_child_nodes(holder) if isinstance(inner, ast.stmt)]
    return found


def _writes(
    body: Iterable[ast.stmt], name: str, path: tuple[ast.stmt, ...] = (), *, always: bool = False
) -> Iterator[_Write]:
    """The assignments to a name or an attribute, in the order of the text."""
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AugAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(dotted(target) == name for target in targets):
                yield _Write(statement, path, always)
        elif isinstance(statement, ast.Try):
            for part in (statement.body, statement.orelse, *[handler.body for handler in statement.handlers]):
                yield from _writes(part, name, path, always=always)
            yield from _writes(statement.finalbody, name, path, always=True)
        elif isinstance(statement, ast.With):
            yield from _writes(statement.body, name, path, always=always)
        elif isinstance(statement, (ast.If, ast.For, ast.While)):
            yield from _writes([*statement.body, *statement.orelse], name, (*path, statement), always=always)


def _undoes(last: ast.stmt, first: ast.stmt) -> bool:
    """Whether `depth -= 1` takes back `depth += 1`."""
    if not isinstance(last, ast.AugAssign) or not isinstance(first, ast.AugAssign):
        return False
    opposite = {type(last.op), type(first.op)} == {ast.Add, ast.Sub}
    return opposite and ast.dump(last.value) == ast.dump(first.value)


def _restores(statement: ast.stmt, name: str, functions: Iterable[ast.FunctionDef], site: Site) -> bool:
    """Whether an assignment gives back what was put by (`old = depth`), or what the file gave."""
    if not isinstance(statement, ast.Assign):
        return False
    if isinstance(statement.value, ast.Constant):
        begun = [s.value for s in site.module.body if isinstance(s, ast.Assign) and dotted(s.targets[0]) == name]
        return len(begun) == 1 and ast.dump(begun[0]) == ast.dump(statement.value)
    kept = dotted(statement.value)
    return bool(kept) and any(
        isinstance(one, ast.Assign) and dotted(one.targets[0]) == kept and dotted(one.value) == name
        for function in functions
        for one in own_statements(function)
    )


def _may_leave(functions: Iterable[ast.FunctionDef], first: ast.stmt, last: ast.stmt) -> bool:
    """Whether a function may return between two statements."""
    returns = [s for f in functions for s in own_statements(f) if isinstance(s, ast.Return)]
    return any(first.lineno < statement.lineno < last.lineno for statement in returns)
