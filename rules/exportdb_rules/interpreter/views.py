"""What a view asks of sizes.

A view has as many numbers as what it is a view of. Export compares the sizes of both from the front, one by one, and puts
together or takes apart those that differ (torch/_refs/__init__.py, `_reshape_view_helper`): the example decides which are
taken for equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.interpreter.dimensions import Dims, elements, term_of
from exportdb_rules.interpreter.guards import demand, equal
from exportdb_rules.terms import demanded, divides
from exportdb_rules.values import Const, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from exportdb_rules.interpreter.machine import Frame


def check_view(frame: Frame, node: ast.AST, short: str, dims: Dims, sizes: list[Value]) -> None:
    """The guards of a view of a tensor of some sizes as one of others, of which one may be -1."""
    for before, after in _groups(dims, sizes, frame.run.dynamic.sizes):
        others = [size for size in after if not _is_rest(size)]
        whole, part = elements(before), elements(others)
        if whole is None or part is None:
            continue
        if len(before) == len(after) == len(others) == 1:
            equal(frame, node, short, before[0], after[0])
        elif len(others) == len(after):
            demand(frame, node, short, demanded(whole, part), *before, *others)
        elif part.value:
            demand(frame, node, short, divides(part.value, whole), *before)


def _groups(dims: Dims, sizes: list[Value], example: Mapping[str, int]) -> list[tuple[list[Value], list[Value]]]:
    """The sizes of both in groups, as short as they can be, of which each has as many numbers before as after; all in one
    where they are not known in the example."""
    every = [([*dims], [*sizes])]
    old, new = [_seen(dim, example) for dim in dims], [_seen(size, example) for size in sizes]
    rest = next((at for at, size in enumerate(sizes) if _is_rest(size)), None)
    if rest is not None:
        total, others = _product(old), _product([*new[:rest], *new[rest + 1 :]])
        new[rest] = None if not total or not others or total % others else total // others
    if not all(old) or not all(new) or _product(old) != _product(new):
        return every
    found: list[tuple[list[Value], list[Value]]] = []
    at = to = 0
    while at < len(dims) or to < len(sizes):
        first, start = at, to
        at, to = min(at + 1, len(dims)), min(to + 1, len(sizes))
        while (before := _product(old[first:at]) or 0) != (after := _product(new[start:to]) or 0):
            if (before < after and at < len(dims)) or to == len(sizes):
                at += 1
            else:
                to += 1
        found.append(([*dims[first:at]], sizes[start:to]))
    return found


def _seen(size: Value, example: Mapping[str, int]) -> int | None:
    term = term_of(size)
    return None if term is None else term.at(example)


def _product(numbers: list[int | None]) -> int | None:
    total = 1
    for number in numbers:
        if number is None:
            return None
        total *= number
    return total


def _is_rest(size: Value) -> bool:
    return type(size) is Const and size.value == -1
