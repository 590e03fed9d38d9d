"""Which names a piece of code reads and binds, in Python's scopes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.tree import children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(slots=True)
class NameUses:
    """`reads`: names that are looked up. `writes`: names bound in this scope. `captured`: read by inner functions,
    which may run later than where they stand. `outer`: declared global or nonlocal."""

    reads: set[str] = field(default_factory=set[str])
    writes: set[str] = field(default_factory=set[str])
    captured: set[str] = field(default_factory=set[str])
    outer: set[str] = field(default_factory=set[str])


def names(nodes: cst.CSTNode | Iterable[cst.CSTNode]) -> NameUses:
    """The names of one node or of several together."""
    found = NameUses()
    for node in [nodes] if isinstance(nodes, cst.CSTNode) else nodes:
        _add(_of(node), found)
    return found


@once
def _of(node: cst.CSTNode) -> NameUses:
    found = NameUses()
    _visit_parts(node, found)
    return found


def _add(names: NameUses, found: NameUses) -> None:
    found.reads |= names.reads
    found.writes |= names.writes
    found.captured |= names.captured
    found.outer |= names.outer


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


def _target(node: cst.CSTNode, found: NameUses) -> None:
    if isinstance(node, cst.Name):
        found.writes.add(node.value)
    elif isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            _target(element.value, found)
    elif isinstance(node, cst.StarredElement):
        _target(node.value, found)
    else:
        _visit(node, found)


def _inner(found: NameUses, body: NameUses, bound: set[str]) -> None:
    free = (body.reads | body.captured) - bound
    found.reads |= free
    found.captured |= free
    # `nonlocal` in an inner function binds here.
    found.writes |= body.outer & body.writes
    found.captured |= body.outer


def _visit(node: cst.CSTNode, found: NameUses) -> None:
    if isinstance(node, _REMEMBERED):
        _add(_of(node), found)
    else:
        _visit_parts(node, found)


def _visit_parts(node: cst.CSTNode, found: NameUses) -> None:
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        handler(node, found)
    else:
        for child in children(node):
            _visit(child, found)


def _name(node: cst.Name, found: NameUses) -> None:
    found.reads.add(node.value)


def _of_value(node: cst.Attribute | cst.Arg, found: NameUses) -> None:
    _visit(node.value, found)


def _assign(node: cst.Assign, found: NameUses) -> None:
    _visit(node.value, found)
    for target in node.targets:
        _target(target.target, found)


def _augmented(node: cst.AugAssign, found: NameUses) -> None:
    _visit(node.target, found)
    _visit(node.value, found)
    _target(node.target, found)


def _annotated(node: cst.AnnAssign, found: NameUses) -> None:
    if node.value is not None:
        _visit(node.value, found)
        _target(node.target, found)


def _walrus(node: cst.NamedExpr, found: NameUses) -> None:
    _visit(node.value, found)
    _target(node.target, found)


def _loop(node: cst.For, found: NameUses) -> None:
    _visit(node.iter, found)
    _target(node.target, found)
    _visit(node.body, found)
    if node.orelse is not None:
        _visit(node.orelse, found)


def _lambda(node: cst.Lambda, found: NameUses) -> None:
    body = names(node.body)
    _inner(found, body, {p.name.value for p in parameters(node)})
    _defaults(node, found)


def _function(node: cst.FunctionDef, found: NameUses) -> None:
    body = names(node.body)
    bound = ({p.name.value for p in parameters(node)} | body.writes) - body.outer
    _inner(found, body, bound)
    _defaults(node, found)
    for decorator in node.decorators:
        _visit(decorator.decorator, found)
    found.writes.add(node.name.value)


def _class(node: cst.ClassDef, found: NameUses) -> None:
    body = names(node.body)
    _inner(found, body, set())
    for part in (*node.bases, *node.keywords, *(d.decorator for d in node.decorators)):
        _visit(part, found)
    found.writes.add(node.name.value)


def _outer(node: cst.Global | cst.Nonlocal, found: NameUses) -> None:
    found.outer |= {item.name.value for item in node.names}


def _as_name(node: cst.AsName, found: NameUses) -> None:
    _target(node.name, found)


def _pattern(node: cst.MatchAs | cst.MatchStar, found: NameUses) -> None:
    if node.name is not None:
        found.writes.add(node.name.value)
    if isinstance(node, cst.MatchAs) and node.pattern is not None:
        _visit(node.pattern, found)


def _pattern_mapping(node: cst.MatchMapping, found: NameUses) -> None:
    for element in node.elements:
        _visit(element.pattern, found)
    if node.rest is not None:
        found.writes.add(node.rest.value)


def _pattern_keyword(node: cst.MatchKeywordElement, found: NameUses) -> None:
    _visit(node.pattern, found)


def _delete(node: cst.Del, found: NameUses) -> None:
    found.reads |= names(node.target).reads
    found.writes |= {name.value for name in targets(node.target)}


def _nothing(node: cst.CSTNode, found: NameUses) -> None:
    """What is evaluated nowhere, or elsewhere."""


def _defaults(node: cst.FunctionDef | cst.Lambda, found: NameUses) -> None:
    for parameter in parameters(node):
        if parameter.default is not None:
            _visit(parameter.default, found)


def _comprehension(node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp, found: NameUses) -> None:
    # What the first loop goes over is computed outside, at once: `[x * 2 for x in x.chunk(2)]` reads the outer x.
    _visit(node.for_in.iter, found)
    inner = NameUses()
    bound: set[str] = set()
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        here = NameUses()
        _target(clause.target, here)
        bound |= here.writes
        if clause is not node.for_in:
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


def _import(node: cst.Import | cst.ImportFrom, found: NameUses) -> None:
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


# The parts of code whose names are asked for again with what they stand in.
_REMEMBERED: Final = (cst.BaseStatement, cst.BaseSmallStatement)

_HANDLERS: Final[dict[type[cst.CSTNode], Callable[[Any, NameUses], None]]] = {
    cst.Name: _name,
    cst.Attribute: _of_value,
    cst.Arg: _of_value,
    cst.Assign: _assign,
    cst.AugAssign: _augmented,
    cst.AnnAssign: _annotated,
    cst.NamedExpr: _walrus,
    cst.For: _loop,
    cst.Lambda: _lambda,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _comprehension,
    cst.Global: _outer,
    cst.Nonlocal: _outer,
    cst.Import: _import,
    cst.ImportFrom: _import,
    cst.AsName: _as_name,
    cst.MatchAs: _pattern,
    cst.MatchStar: _pattern,
    cst.MatchMapping: _pattern_mapping,
    cst.MatchKeywordElement: _pattern_keyword,
    cst.Del: _delete,
    cst.Annotation: _nothing,
}
