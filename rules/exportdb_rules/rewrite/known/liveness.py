"""Control flow of structured code: what is live, what is certainly assigned, and how a block can be left."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.tree import below, children, holds, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

Live = frozenset[str]
NOTHING: Live = frozenset()


@dataclass(frozen=True, slots=True)
class _Jumps:
    """What is live where `break` and `continue` go."""

    break_target: Live = NOTHING
    continue_target: Live = NOTHING


def live_in(block: Sequence[cst.CSTNode], after: Live, jumps: _Jumps | None = None) -> Live:
    """The names whose values the statements, or what follows them, may read.

    A name that an inner function reads is live from the block's beginning: the function may run at any time.
    """
    live = after
    jumps = jumps or _Jumps()
    for statement in reversed(block):
        live = _before(statement, live, jumps)
    return live


@once
def _known(node: cst.CSTNode) -> dict[tuple[Live, _Jumps], Live]:
    """What was found out of a compound statement: each that stands around it asks for it again."""
    return {}


def _before(node: cst.CSTNode, after: Live, jumps: _Jumps) -> Live:
    if isinstance(node, cst.SimpleStatementLine):
        return live_in(node.body, after, jumps)
    if not isinstance(node, cst.BaseCompoundStatement):
        return _before_parts(node, after, jumps)
    known = _known(node)
    if (after, jumps) not in known:
        known[after, jumps] = _before_parts(node, after, jumps)
    return known[after, jumps]


def _before_parts(node: cst.CSTNode, after: Live, jumps: _Jumps) -> Live:
    if isinstance(node, cst.If):
        taken, other = [live_in(side, after, jumps) for side in arms(node)]
        return _expression(node.test, taken | other)
    if isinstance(node, (cst.For, cst.While)):
        return _loop(node, after, jumps)
    if isinstance(node, cst.With):
        live = live_in(statements(node.body), after, jumps)
        for item in reversed(node.items):
            if item.asname is not None:
                live -= names(item.asname).writes
            live = _expression(item.item, live)
        return live
    if isinstance(node, (cst.Try, cst.TryStar, cst.Match, cst.ClassDef)):
        # Any part of these may be left half way: nothing that they bind is sure to be bound.
        found = names(node)
        return after | found.reads | jumps.break_target | jumps.continue_target
    if isinstance(node, cst.FunctionDef):
        found = names(node)
        return frozenset((after - found.writes) | found.reads)
    if isinstance(node, cst.Return):
        return frozenset(names(node).reads)
    if isinstance(node, cst.Raise):
        return frozenset(names(node).reads) | jumps.break_target
    if isinstance(node, cst.Break):
        return jumps.break_target
    if isinstance(node, cst.Continue):
        return jumps.continue_target
    found = names(node)
    return frozenset((after - found.writes) | found.reads)


def _expression(node: cst.CSTNode, after: Live) -> Live:
    # A walrus may stand behind `and`: what it binds is not sure to be bound.
    return after | frozenset(names(node).reads)


def _loop(node: cst.For | cst.While, after: Live, jumps: _Jumps) -> Live:
    done = after if node.orelse is None else live_in(statements(node.orelse.body), after, jumps)
    head: Live = done
    while True:
        body = live_in(statements(node.body), head, _Jumps(break_target=after, continue_target=head))
        if isinstance(node, cst.For):
            bound = {name.value for name in targets(node.target)}
            now = head | (body - bound) | (names(node.target).reads - bound)
        else:
            now = _expression(node.test, head | body)
        if now == head:
            break
        head = now
    return _expression(node.iter, head) if isinstance(node, cst.For) else head


def live_out(path: Sequence[cst.CSTNode], function: cst.FunctionDef, moved: Sequence[cst.CSTNode] = ()) -> Live:
    """The names that may be read after the last node of the path, a statement, has run.

    `path` leads from the function's definition (or from further out) down to the statement. What the functions in
    `moved` read does not count: they move along.
    """
    index = list(path).index(function)
    live: Live = NOTHING
    jumps = _Jumps()
    for parent, child in zip(path[index:], path[index + 1 :], strict=False):
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            after = live
            head = _loop(parent, after, jumps)
            if isinstance(parent, cst.For):
                head |= live
            live, jumps = head, _Jumps(break_target=after, continue_target=head)
        elif isinstance(parent, (cst.Try, cst.TryStar)):
            live |= names(parent).reads
        elif isinstance(parent, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            rest = list(parent.body)
            live = live_in(rest[rest.index(child) + 1 :], live, jumps)  # type: ignore[arg-type]
    return live | _captured(function.body, {id(node) for node in (path[-1], *moved)})


def _captured(node: cst.CSTNode, moved: set[int]) -> Live:
    """The names that the functions in a piece of code read, which may run at any time."""
    if id(node) in moved:
        return NOTHING
    if isinstance(node, (cst.FunctionDef, cst.Lambda)):
        return frozenset(names(node).captured)
    if not holds(node, (cst.FunctionDef, cst.Lambda)):
        return NOTHING
    return NOTHING.union(*[_captured(child, moved) for child in children(node)])


def code_after(path: Sequence[cst.CSTNode], function: cst.FunctionDef) -> list[cst.CSTNode]:
    """The statements that may run after the last node of the path, the nearest first; a loop around it as a whole."""
    index = list(path).index(function)
    found: list[list[cst.CSTNode]] = []
    for parent, child in zip(path[index:], path[index + 1 :], strict=False):
        if isinstance(parent, (cst.For, cst.While)) and child is parent.body:
            found.insert(0, [parent])
        elif isinstance(parent, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            rest = list(parent.body)
            found.insert(0, rest[rest.index(child) + 1 :])  # type: ignore[arg-type]
    return [node for block in found for node in block]


def followed_by(path: Sequence[cst.CSTNode], function: cst.FunctionDef) -> list[cst.BaseStatement]:
    """The statements behind the last node of the path, in its block; and the `return` that runs next where the block ends, in
    branches alone, without one."""
    found: list[cst.BaseStatement] = []
    for inner, outer in pairwise(reversed(path[list(path).index(function) :])):
        if isinstance(outer, cst.IndentedBlock):
            behind = statements(outer)
            behind = behind[next(i for i, one in enumerate(behind) if one is inner) + 1 :]
            if inner is path[-1]:
                found = behind
            elif any(isinstance(s, cst.Return) for s in _smalls(behind[:1])):
                return [*found, behind[0]]
            elif behind:
                break
        elif not isinstance(outer, (cst.If, cst.Else)):
            break
        if never_falls_through(found):
            break
    return found


def assigned_before(path: Sequence[cst.CSTNode], function: cst.FunctionDef) -> set[str]:
    """The names that certainly have a value when the last node of the path, a statement, begins."""
    index = list(path).index(function)
    assigned = {p.name.value for p in parameters(function)}
    for parent, child in zip(path[index:], path[index + 1 :], strict=False):
        if isinstance(parent, cst.For) and child is parent.body:
            assigned |= {name.value for name in targets(parent.target)}
        elif isinstance(parent, cst.With):
            for item in parent.items:
                if item.asname is not None:
                    assigned |= names(item.asname).writes
        elif isinstance(parent, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            for statement in parent.body:
                if statement is child:
                    break
                assigned |= _surely(statement)
    return assigned


def _surely(node: cst.CSTNode) -> set[str]:
    if isinstance(node, cst.If):
        ends = [definitely_assigned(side) for side in arms(node) if not never_falls_through(side)]
        return ends[0].intersection(*ends) if ends else set[str]()
    if isinstance(node, cst.With):
        found = definitely_assigned(statements(node.body))
        for item in node.items:
            if item.asname is not None:
                found |= names(item.asname).writes
        return found
    if isinstance(node, (cst.For, cst.While, cst.Try, cst.TryStar, cst.Match)):
        return set()
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        return {node.name.value}
    found = names(node)
    return found.writes


def definitely_assigned(block: Sequence[cst.CSTNode]) -> set[str]:
    """The names that certainly have a value when the statements have run to their end."""
    return set[str]().union(*[_surely(statement) for statement in block])


def arms(node: cst.If) -> tuple[list[cst.BaseStatement], list[cst.BaseStatement]]:
    """The statements of both sides of an `if`; an `elif` is one statement of the other side."""
    body = statements(node.body)
    if isinstance(node.orelse, cst.If):
        return body, [node.orelse]
    return body, [] if node.orelse is None else statements(node.orelse.body)


def tests(node: cst.If) -> list[cst.BaseExpression]:
    """The tests of a chain of `if` and `elif`, in order."""
    return [node.test, *(tests(node.orelse) if isinstance(node.orelse, cst.If) else [])]


def never_falls_through(block: Sequence[cst.CSTNode]) -> bool:
    """Whether control never runs off the end of the block: every path returns, raises or jumps."""
    for node in block:
        if isinstance(node, cst.SimpleStatementLine):
            if any(isinstance(s, (cst.Return, cst.Raise, cst.Break, cst.Continue)) for s in node.body):
                return True
        elif isinstance(node, cst.If):
            if node.orelse is not None and all(never_falls_through(side) for side in arms(node)):
                return True
        elif isinstance(node, cst.With) and never_falls_through(statements(node.body)):
            # A context manager may swallow an exception, but not a return.
            return not any(isinstance(s, cst.Raise) for s in _smalls(statements(node.body)))
    return False


def _smalls(block: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    return [s for node in block if isinstance(node, cst.SimpleStatementLine) for s in node.body]


def returns(block: Sequence[cst.CSTNode]) -> list[cst.Return]:
    """The returns that stand in the statements, inner functions left aside."""
    inner = (cst.FunctionDef, cst.ClassDef, cst.Lambda)
    return [found for node in block for found in below(node, cst.Return, outside=inner)]


def contains(block: Sequence[cst.CSTNode], *kinds: type[cst.CSTNode]) -> bool:
    """Whether a node of one of the kinds stands in the statements, inner functions and classes left aside."""
    stack: list[cst.CSTNode] = list(block)
    while stack:
        node = stack.pop()
        if isinstance(node, kinds):
            return True
        if not isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)) and holds(node, kinds):
            stack += children(node)
    return False
