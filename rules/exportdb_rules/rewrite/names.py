"""Which names a piece of code reads and binds, in Python's scopes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.tree import children

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True)
class Names:
    """`reads`: names that are looked up. `writes`: names bound in this scope. `captured`: read by inner functions,
    which may run later than where they stand. `outer`: declared global or nonlocal."""

    reads: set[str] = field(default_factory=set[str])
    writes: set[str] = field(default_factory=set[str])
    captured: set[str] = field(default_factory=set[str])
    outer: set[str] = field(default_factory=set[str])


def names(nodes: cst.CSTNode | Iterable[cst.CSTNode]) -> Names:
    """The names of one node or of several together."""
    found = Names()
    for node in [nodes] if isinstance(nodes, cst.CSTNode) else nodes:
        _visit(node, found)
    return found


def parameters(function: cst.FunctionDef | cst.Lambda) -> list[cst.Param]:
    """All parameters of a function, in order, the starred ones included."""
    p = function.params
    found = [*p.posonly_params, *p.params]
    if isinstance(p.star_arg, cst.Param):
        found.append(p.star_arg)
    found += p.kwonly_params
    if p.star_kwarg is not None:
        found.append(p.star_kwarg)
    return found


def targets(node: cst.CSTNode) -> list[cst.Name]:
    """The names that an assignment target binds (attributes and subscripts bind none)."""
    if isinstance(node, cst.Name):
        return [node]
    if isinstance(node, (cst.Tuple, cst.List)):
        return [name for element in node.elements for name in targets(element.value)]
    if isinstance(node, cst.StarredElement):
        return targets(node.value)
    return []


def _target(node: cst.CSTNode, found: Names) -> None:
    if isinstance(node, cst.Name):
        found.writes.add(node.value)
    elif isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            _target(element.value, found)
    elif isinstance(node, cst.StarredElement):
        _target(node.value, found)
    else:
        _visit(node, found)


def _inner(found: Names, body: Names, bound: set[str]) -> None:
    free = (body.reads | body.captured) - bound
    found.reads |= free
    found.captured |= free
    # `nonlocal` in an inner function binds here.
    found.writes |= body.outer & body.writes
    found.captured |= body.outer


def _visit(node: cst.CSTNode, found: Names) -> None:
    if isinstance(node, cst.Name):
        found.reads.add(node.value)
    elif isinstance(node, (cst.Attribute, cst.Arg)):
        _visit(node.value, found)
    elif isinstance(node, cst.Assign):
        _visit(node.value, found)
        for target in node.targets:
            _target(target.target, found)
    elif isinstance(node, cst.AugAssign):
        _visit(node.target, found)
        _visit(node.value, found)
        _target(node.target, found)
    elif isinstance(node, cst.AnnAssign):
        if node.value is not None:
            _visit(node.value, found)
            _target(node.target, found)
    elif isinstance(node, cst.NamedExpr):
        _visit(node.value, found)
        _target(node.target, found)
    elif isinstance(node, cst.For):
        _visit(node.iter, found)
        _target(node.target, found)
        _visit(node.body, found)
        if node.orelse is not None:
            _visit(node.orelse, found)
    elif isinstance(node, cst.Lambda):
        body = names(node.body)
        _inner(found, body, {p.name.value for p in parameters(node)})
        _defaults(node, found)
    elif isinstance(node, cst.FunctionDef):
        body = names(node.body)
        bound = ({p.name.value for p in parameters(node)} | body.writes) - body.outer
        _inner(found, body, bound)
        _defaults(node, found)
        for decorator in node.decorators:
            _visit(decorator.decorator, found)
        found.writes.add(node.name.value)
    elif isinstance(node, cst.ClassDef):
        body = names(node.body)
        _inner(found, body, set())
        for part in (*node.bases, *node.keywords, *(d.decorator for d in node.decorators)):
            _visit(part, found)
        found.writes.add(node.name.value)
    elif isinstance(node, (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)):
        _comprehension(node, found)
    elif isinstance(node, (cst.Global, cst.Nonlocal)):
        found.outer |= {item.name.value for item in node.names}
    elif isinstance(node, (cst.Import, cst.ImportFrom)):
        _import(node, found)
    elif isinstance(node, cst.AsName):
        _target(node.name, found)
    elif isinstance(node, (cst.MatchAs, cst.MatchStar)):
        if node.name is not None:
            found.writes.add(node.name.value)
        if isinstance(node, cst.MatchAs) and node.pattern is not None:
            _visit(node.pattern, found)
    elif isinstance(node, cst.MatchMapping):
        for element in node.elements:
            _visit(element.pattern, found)
        if node.rest is not None:
            found.writes.add(node.rest.value)
    elif isinstance(node, cst.MatchKeywordElement):
        _visit(node.pattern, found)
    elif isinstance(node, cst.Del):
        inner = names(node.target)
        found.reads |= inner.reads
        found.writes |= {name.value for name in targets(node.target)}
    elif isinstance(node, cst.Annotation):
        return
    else:
        for child in children(node):
            _visit(child, found)


def _defaults(node: cst.FunctionDef | cst.Lambda, found: Names) -> None:
    for parameter in parameters(node):
        if parameter.default is not None:
            _visit(parameter.default, found)


def _comprehension(node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp, found: Names) -> None:
    inner = Names()
    bound: set[str] = set()
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        here = Names()
        _target(clause.target, here)
        bound |= here.writes
        _visit(clause.iter, inner)
        for condition in clause.ifs:
            _visit(condition.test, inner)
        clause = clause.inner_for_in
    for part in (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,):
        _visit(part, inner)
    found.reads |= inner.reads - bound
    # A walrus in a comprehension binds in the function around it.
    found.writes |= inner.writes
    found.captured |= inner.captured - bound
    if isinstance(node, cst.GeneratorExp):
        found.captured |= inner.reads - bound


def _import(node: cst.Import | cst.ImportFrom, found: Names) -> None:
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        if alias.asname is not None:
            _target(alias.asname.name, found)
        else:
            root: cst.CSTNode = alias.name
            while isinstance(root, cst.Attribute):
                root = root.value
            if isinstance(root, cst.Name):
                found.writes.add(root.value)
