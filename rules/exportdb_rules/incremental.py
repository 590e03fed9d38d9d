"""Checking a file again after an edit: what did not change is not run again.

Nearly every edit changes the body of one function. Then all that was learnt of the classes, their constructors and
the other functions stands, and of the summaries only those fall that ran the changed function. The old module object
goes on living, and its tree with it, so that everything that knows a node of it (the run, its values and summaries)
keeps on being right: what did not change is moved to its new lines, a changed function is put in from the new tree. An
edit that changes anything else is checked from scratch.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from exportdb_rules.confidence import tensor_like
from exportdb_rules.interpreter.attributes import assigned_attributes
from exportdb_rules.interpreter.calls import run_again
from exportdb_rules.interpreter.machine import reached
from exportdb_rules.interpreter.modules import registered_names
from exportdb_rules.lattice import Mapping, Sequence
from exportdb_rules.namespaces import namespaces
from exportdb_rules.pieces import Nodes, Piece, Pieces, pieces_after, pieces_of, shift, shift_header
from exportdb_rules.values import Instance, Tensor, Value

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import AnalysisState, Summary
    from exportdb_rules.project import FunctionInfo, Module


@dataclass(slots=True)
class Session:
    """The run of the last check of a file. `others` counts the changes of all other files up to then, `asked` is what of the
    settings the run rests on."""

    run: AnalysisState
    module: Module
    others: int
    asked: tuple[object, ...] = ()

    def dissolve(self) -> None:
        """See `project.Dissolvable`."""
        self.run.dissolve()


def carry_over(session: Session, new: Module) -> bool:
    """Bring a session up to the new text of its file. False, and nothing changed, where that cannot be done."""
    old = session.module
    pieces = old.pieces if isinstance(old.pieces, Pieces) else pieces_of(old)
    before, rest_before, nodes = pieces
    after, rest_after, _ = pieces_after(pieces, new) if new.body is old.body else pieces_of(new)
    if rest_before != rest_after or before.keys() != after.keys():
        return False
    # One that was edited since may be back to what it was, but not its nodes: see `pieces.edited`.
    standing = {id(node) for outer in old.body for node in (outer, *(getattr(outer, "body", ())))}
    changed: list[tuple[Piece, Piece]] = []
    for key, piece in before.items():
        other = after[key]
        if piece.header != other.header:
            return False
        if piece.body != other.body or id(piece.info.node) not in standing:
            changed.append((piece, other))
    run = session.run
    if any(id(piece.info) in run.untraced for piece, _ in changed):
        return False
    if any(_writes(piece.info) != _writes(other.info) for piece, other in changed):
        return False
    if new.body is not old.body:
        if not _alike(old.body, new.body):
            return False
        _bring_up(old.body, new.body, {id(other.info.node) for _, other in changed}, nodes)
    fallen = {id(piece.info) for piece, _ in changed}
    for piece, other in changed:
        piece.info.renew(other.info)
    old.renew(new)
    for local in namespaces(old).values():
        local.follow(new)
    old.pieces = Pieces({key: replace(after[key], info=piece.info) for key, piece in before.items()}, rest_after, nodes)
    tensor_like.cache_clear()
    stale = [s for s in run.summaries.values() if s.function is not None and id(s.function) in fallen]
    # What the last check did not come by is not run for its own sake.
    met = [summary for summary in stale if summary.visit == run.visit] if len(changed) == 1 else []
    fresh = {id(summary) for summary in met if _refresh(run, summary)}
    _drop_summaries(run, {id(summary) for summary in stale} - fresh)
    run.wrapped = {
        key: known
        for key, known in run.wrapped.items()
        if all(id(inner.function) not in fallen or id(inner) in fresh for inner in reached([known.summary]))
    }
    new.dissolve()
    return True


def _refresh(run: AnalysisState, summary: Summary) -> bool:
    """Run a changed function again on the values it was called with. True if its callers see no difference."""
    info = summary.function
    rest = None if info is None else info.node.args.kwarg
    for name, value in zip(summary.names, summary.values, strict=True):
        own = rest is not None and name == rest.arg  # what a call collects for `**kwargs` is that call's alone
        if any(map(_may_change, value.held()) if own and type(value) is Mapping else [_may_change(value)]):
            return False
    fresh = run_again(run, summary)
    if fresh is None or not fresh.pure or fresh.raises != summary.raises:
        return False
    if not _equal(fresh.result, summary.result):
        return False
    summary.renew(fresh)
    return True


def _equal(result: Value, before: Value) -> bool:
    """Whether two results are the same to who called; of objects, what is on them."""
    if result.key() != before.key():
        return False
    if type(result) is Tensor and type(before) is Tensor:
        return result.shape == before.shape
    if type(result) is Instance and type(before) is Instance and result is not before:
        parts, others = result.attributes, before.attributes
        return parts.keys() == others.keys() and all(parts[name].key() == others[name].key() for name in parts)
    return True


def _may_change(value: Value) -> bool:
    """Whether a value is a container that may have been changed since."""
    return isinstance(value, Mapping) or (type(value) is Sequence and value.type != "tuple")


def _writes(info: FunctionInfo) -> tuple[frozenset[str], frozenset[str], bool]:
    """What other code depends on of a body besides its result: the attributes it binds, the buffers it registers, and whether it
    yields."""
    return assigned_attributes(info), registered_names(info), info.generator


def _drop_summaries(run: AnalysisState, stale: set[int]) -> None:
    """Forget summaries, and those of all that called them."""
    if not stale:
        return
    known = dict.fromkeys(stale, True)

    def falls(summary: Summary) -> bool:
        answer = known.get(id(summary))
        if answer is None:
            answer = known[id(summary)] = False  # a cycle adds nothing
            for _, inner in summary.calls:
                if falls(inner):
                    answer = known[id(summary)] = True
                    break
        return answer

    run.summaries = {key: summary for key, summary in run.summaries.items() if not falls(summary)}


def _alike(old: list[ast.stmt], new: list[ast.stmt]) -> bool:
    """Whether two trees have the same statements in the same places, as far down as classes go."""
    return len(old) == len(new) and all(
        type(mine) is type(fresh)
        and (not (isinstance(mine, ast.ClassDef) and isinstance(fresh, ast.ClassDef)) or _alike(mine.body, fresh.body))
        for mine, fresh in zip(old, new, strict=True)
    )


def _bring_up(old: list[ast.stmt], new: list[ast.stmt], changed: set[int], nodes: Nodes) -> None:
    """Move the statements of a tree to where they stand in a newer one; those that are `changed` there are replaced."""
    for number, (mine, fresh) in enumerate(zip(old, new, strict=True)):
        by = fresh.lineno - mine.lineno
        if id(fresh) in changed:
            old[number] = fresh
            nodes.pop(id(mine), None)
        elif isinstance(mine, ast.ClassDef) and isinstance(fresh, ast.ClassDef):
            _bring_up(mine.body, fresh.body, changed, nodes)
            shift_header(mine, by, nodes)
            mine.lineno, mine.end_lineno = fresh.lineno, fresh.end_lineno
        else:
            shift(mine, by, nodes)
