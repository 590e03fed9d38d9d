"""Running a function that a higher-order operator was given, and watching what it does to what was there before.

torch.cond and its kin trace each function into a graph of its own. That graph may not hand out, nor write, a tensor
that it was given or closes over; so those tensors are marked (`OPERAND`) while the function is run.
"""

from __future__ import annotations

import ast
import copy
from typing import Final

from exportdb_rules.facts import AttributeWritten, Branch, Called, ContainerWritten, Fact, GlobalWritten, TensorWritten
from exportdb_rules.interpreter.dispatch import call
from exportdb_rules.interpreter.machine import Frame, reached
from exportdb_rules.lattice import Mapping, Sequence
from exportdb_rules.values import (
    ATTRIBUTE,
    BUFFER,
    INPUT,
    OPERAND,
    PARAMETER,
    Function,
    Instance,
    Site,
    Sym,
    Tensor,
    Union,
    Value,
)

# Storage that was there before the function began.
OUTSIDE: Final = frozenset({OPERAND, INPUT, PARAMETER, BUFFER, ATTRIBUTE})


def run_branch(frame: Frame, node: ast.AST, role: str, function: Value, operands: list[Value]) -> Branch:
    """Call `function` on `operands`, and tell what it returned and what it wrote."""
    scopes = _scopes(function)
    saved = [(scope, scope.env.copy()) for scope in scopes]
    before = {id(v): _size(v) for _, env in saved for v in env.values() if isinstance(v, (Sequence, Mapping))}
    for scope, env in saved:
        for name, value in env.items():
            scope.env[name] = marked(value)
    marks = [scope.env.copy() for scope in scopes]
    rebound: list[str] = []
    seen = len(frame.summary.calls)
    frame.summary.captured.add(node)
    try:
        result = call(frame, node, function, [marked(v) for v in operands], {})
        rebound += [
            name
            for scope, mark in zip(scopes, marks, strict=True)
            for name in mark
            if scope.env.get(name) is not mark[name]
        ]
    finally:
        for (scope, env), mark in zip(saved, marks, strict=True):
            for name, value in env.items():
                if scope.env.get(name) is mark[name]:
                    scope.env[name] = value
    summaries = list(reached([inner for _, inner in frame.summary.calls[seen:]]))
    resized = [
        name
        for _, env in saved
        for name, v in env.items()
        if isinstance(v, (Sequence, Mapping)) and _size(v) != before[id(v)]
    ]
    writes = tuple([fact for summary in summaries for fact in summary.facts if _writes_outside(fact)])
    raises = bool(summaries) and summaries[0].raises
    return Branch(role, function, result, writes, tuple(resized), tuple(rebound), raises, _numbers(frame, function))


def _numbers(frame: Frame, function: Value) -> tuple[Site, ...]:
    """Where a function reads a number from data that stands in a scope around it."""
    if type(function) is not Function or not isinstance(function.closure, Frame):
        return ()
    node = function.info.node
    arguments = node.args
    own = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    names = [n for part in body for n in ast.walk(part) if isinstance(n, ast.Name)]
    own |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    known = {name.id: function.closure.lookup(name.id) for name in names if name.id not in own}
    loose = {name for name, value in known.items() if value is not None and _from_data(value)}
    found = sorted((n for n in names if n.id in loose), key=lambda n: (n.lineno, n.col_offset))
    return tuple([Site(function.info.module.file, name) for name in found])


def _from_data(value: Value) -> bool:
    if type(value) is Sequence:
        return any(_from_data(item) for item in (value.items or ([value.element] if value.element is not None else [])))
    return type(value) is Sym and not value.backed and value.type in ("int", "number", "float")


def _size(container: Sequence | Mapping) -> tuple[int | None, int]:
    if isinstance(container, Mapping):
        return len(container.items), id(container.element)
    return None if container.items is None else len(container.items), id(container.element)


def marked(value: Value) -> Value:
    """The value with its tensors marked as ones that were there before."""
    if type(value) is Tensor:
        if value.origin in OUTSIDE and value.origin != INPUT:
            return value
        found = copy.copy(value)
        found.origin, found.alias = OPERAND, True
        return found
    if type(value) is Union:
        return Union(tuple([marked(c) for c in value.choices]))
    if type(value) is Sequence and value.type == "tuple" and value.items is not None:
        return Sequence("tuple", [marked(v) for v in value.items], depth=value.depth)
    return value


def _scopes(function: Value) -> list[Frame]:
    """The frames that a function closes over, from the inside out."""
    found: list[Frame] = []
    scope = function.closure if type(function) is Function else None
    while isinstance(scope, Frame):
        found.append(scope)
        scope = scope.outer
    return found


def _writes_outside(fact: Fact) -> bool:
    if isinstance(fact, TensorWritten):
        return fact.value.alias and fact.value.origin in OUTSIDE
    if isinstance(fact, AttributeWritten):
        return type(fact.owner) is Instance and fact.owner.state
    if isinstance(fact, Called):
        return fact.name.startswith("torch.nn.BatchNorm")
    return isinstance(fact, (ContainerWritten, GlobalWritten))
