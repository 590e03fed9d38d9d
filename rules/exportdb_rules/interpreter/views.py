"""What a view asks of sizes.

A view has as many numbers as what it is a view of. Export compares the sizes of both from the front, one by one, and puts
together or takes apart those that differ (torch/_refs/__init__.py, `_reshape_view_helper`): the example decides which are
taken for equal.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from exportdb_rules.interpreter.dimensions import Dims, elements, term_of
from exportdb_rules.interpreter.guards import demand, equal
from exportdb_rules.terms import LEAST, Demand, Term, demanded, divides
from exportdb_rules.values import Const, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from exportdb_rules.dynamic_shapes import Dimensions
    from exportdb_rules.interpreter.machine import Frame


def check_view(frame: Frame, node: ast.AST, short: str, dims: Dims, sizes: list[Value]) -> None:
    """The guards of a view of a tensor of some sizes as one of others, of which one may be -1."""
    asked: set[str] = set()
    total = _demanded([*dims], sizes)
    solved = total is None or total.difference is None or not total.difference.multiplies
    for before, after in _groups(dims, sizes, frame.run.dynamic.sizes):
        if len(before) == len(after) == 1 and not _is_rest(after[0]):
            equal(frame, node, short, before[0], after[0])
        # Sizes that are split into several: what is asked is how many numbers there are in all, if export can solve that for
        # one of them, and what is left where sizes are the same.
        what = _demanded(before, after)
        if what is not None and what.kind == "relation" and not what.narrows and not solved and len(after) > 1:
            what = _left(before, after)
        if what is not None:
            asked |= what.dimensions
            if len(before) > 1 or len(after) > 1 or _is_rest(after[0]):
                demand(frame, node, short, what, *before, *after)
    if dims and sizes:
        apart = _told_apart(frame, dims, sizes)
        # As many numbers are what is asked first: what is a number then is told apart without a question.
        if apart is not None and not asked & apart.dimensions:
            demand(frame, node, short, apart, *dims, *sizes)


def _demanded(before: list[Value], after: list[Value]) -> Demand | None:
    """What makes sizes have as many numbers as others."""
    others = [size for size in after if not _is_rest(size)]
    whole, part = elements(before), elements(others)
    if whole is None or part is None:
        return None
    if len(others) == len(after):
        return demanded(whole, part)
    if part.value:
        return divides(part.value, whole)
    if len(whole.parts) == len(part.parts) == 1 and whole.over(part) is None:
        return _unproven(f"{whole} % ({part}) == 0", whole, part)
    return None


def _left(before: list[Value], after: list[Value]) -> Demand | None:
    """What makes one size be one other, where all beside them are the same."""
    old, new = Counter(map(term_of, before)), Counter(map(term_of, after))
    match [*(old - new).elements()], [*(new - old).elements()]:
        case [Term() as one], [Term() as other]:
            return demanded(one, other)
        case _:
            return None


def _told_apart(frame: Frame, dims: Dims, sizes: list[Value]) -> Demand | None:
    """What tells sizes of the view apart from those that it is a view of: export takes together as many as the next one
    divides in the example, leaves what remains for those behind it, and asks each time. None where the answers are the same
    for every size."""
    dynamic = frame.run.dynamic
    if len(sizes) == 1 or (len(dims) == 1 and len(sizes) == 2):
        return None  # a view of what is contiguous then, without any question
    ahead = [term_of(dim) for dim in reversed(dims)]
    for size in sizes:
        length, taken = None if _is_rest(size) else term_of(size), ahead.pop() if ahead else None
        if length is None or taken is None:
            return None  # what follows is not known to be asked
        if length == taken or length.at(dynamic.sizes) == taken.at(dynamic.sizes):
            continue
        same = demanded(length, taken)
        if same is not None and same.kind == "number" and dynamic.allows(same.dimension, same.number):
            return _unproven(f"{same.dimension} != {same.number}", length, taken)
        while (left := _remainder(taken, length, dynamic.sizes)) != 0:
            following = ahead.pop() if ahead else None
            if left is None or following is None:
                return None
            if taken.value and _divides(length, taken.value, dynamic):
                return _unproven(f"{taken} % {length} != 0", length)
            taken = taken * following
        if taken.at(dynamic.sizes) != length.at(dynamic.sizes):
            ahead.append(taken.over(length))
    return None


def _remainder(whole: Term, part: Term, example: Mapping[str, int]) -> int | None:
    """What is left in the example of a size that is divided by another."""
    number, by = whole.at(example), part.at(example)
    return None if number is None or not by else number % by


def _divides(length: Term, number: int, dynamic: Dimensions) -> bool:
    """Whether a size of one dimension divides a number for some value that is declared."""
    line = length.linear
    if line is None or line[1] < 1:
        return False
    name, factor, rest = line
    sizes = [size for size in range(LEAST, number + 1) if dynamic.allows(name, size)]
    return any(number % whole == 0 for size in sizes if (whole := factor * size + rest) > 0)


def _unproven(text: str, *terms: Term) -> Demand:
    """What export asks of sizes, and no declaration says."""
    return Demand("unproven", text, frozenset(name for term in terms for name in term.dimensions))


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
