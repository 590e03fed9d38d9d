"""What a view asks of sizes.

A view has as many numbers as what it is a view of. Export compares the sizes of both from the front, one by one, and puts
together or takes apart those that differ (torch/_refs/__init__.py, `_reshape_view_helper`): the example decides which are
taken for equal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import takewhile
from math import prod
from typing import TYPE_CHECKING, cast

from exportdb_rules.facts import SizeNarrowed
from exportdb_rules.interpreter.dimensions import Dims, elements, is_rest, number_of, of_term, term_of
from exportdb_rules.interpreter.guards import demand, equal, laid_out
from exportdb_rules.interpreter.iteration import as_an_input, dimension
from exportdb_rules.slice_guards import QuotientGuard, ViewGuard
from exportdb_rules.terms import LEAST, Demand, Term, demanded, divides, frozen, product
from exportdb_rules.values import Const, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from exportdb_rules.dynamic_shapes import Dimensions
    from exportdb_rules.interpreter.machine import Frame


def check_view(
    frame: Frame, node: ast.AST, short: str, dims: Dims, sizes: list[Value], tensor: Tensor | None = None
) -> None:
    """The guards of a view of a tensor of some sizes as one of others, of which one may be -1; `tensor`: one that may be copied
    for it."""
    at = 0
    asked: set[str] = set()
    total = _demanded([*dims], sizes)
    solved = total is None or total.difference is None or not total.difference.multiplies
    example, facing = frame.run.dynamic.sizes, _facing(dims, sizes)
    if facing and not all(_seen(size, example) for size in (*dims, *sizes)):
        for dim, size in facing:
            _same(frame, node, short, dim, size, needed=False)
    elif not facing and (left := _quotient_of_others(dims, sizes)) is not None:
        _divided_by_others(frame, node, left, [*dims, *sizes])
    for before, after in _groups(dims, sizes, example):
        if tensor is not None and tensor.windows is not None and at <= tensor.windows[0] < at + len(before):
            laid_out(frame, node, short, tensor, at, at + len(before) - 1)
        at += len(before)
        if len(before) == len(after) == 1 and not is_rest(after[0]):
            _same(frame, node, short, before[0], after[0], needed=(before[0], after[0]) not in facing)
        # Sizes that are split into several: what is asked is how many numbers there are in all, if export can solve that for
        # one of them, and what is left where sizes are the same.
        what = _demanded(before, after)
        if what is not None and what.kind == "relation" and not what.narrows and not solved and len(after) > 1:
            what = _left(before, after)
        if what is not None:
            asked |= what.dimensions
            if len(before) > 1 or len(after) > 1 or is_rest(after[0]):
                demand(frame, node, short, what, *before, *after)
        elif len(after) == 1:
            check_merged(frame, node, short, before)
    demand(frame, node, short, _kept_width(dims, sizes, example), *dims, *sizes)
    if dims and sizes:
        apart = _told_apart(frame, dims, sizes)
        # As many numbers are what is asked first: what is a number then is told apart without a question.
        if apart is not None and not asked & apart.dimensions:
            demand(frame, node, short, apart, *dims, *sizes)


def _kept_width(dims: Dims, sizes: list[Value], example: Mapping[str, int]) -> Demand | None:
    """What a view asks of the last dimension of a tensor where it takes those before it together, and the last size is a number
    that is fixed: `x.view(-1, width)` of `[b, t, c]`. Export takes `c` for `width`, unless the example says that it is not;
    eager accepts a multiple of it as well."""
    rest = _place_of_rest(sizes)
    if rest is None or rest != len(sizes) - 2 or len(dims) - rest < 2:
        return None
    if any(
        term_of(dim) is None or term_of(dim) != term_of(size) for dim, size in zip(dims, sizes[:rest], strict=False)
    ):
        return None
    if not _is_dimension(dims[-1]) or not _is_width(sizes[-1]):
        return None
    last, number = term_of(dims[-1]), term_of(sizes[-1])
    if number is not None and _seen(dims[-1], example) not in (None, number.value):
        return None
    what = frozen(last) if last is None or number is None else demanded(last, number)
    return None if what is None else replace(what, narrows=True)


def check_rows(frame: Frame, node: ast.AST, short: str, tensor: Tensor, sizes: list[Value]) -> None:
    """`x.view(-1, width)` of an input of which nobody says how many dimensions it has: more than one, as a rule."""
    if len(sizes) != 2 or not is_rest(sizes[0]) or not _is_width(sizes[1]) or not as_an_input(tensor):
        return
    size = dimension(frame, tensor, -1)
    if type(size) is Sym and size.backed:
        last = f"{cast('tuple[str, str]', tensor.shape)[1]}.shape[-1]"
        demand(frame, node, short, Demand("frozen", last, frozenset({last}), last, narrows=True), size)


def _is_width(size: Value) -> bool:
    return type(size) in (Static, Const) and number_of(size) != 1


def _same(frame: Frame, node: ast.AST, operation: str, dim: Value, size: Value, *, needed: bool) -> None:
    """A dimension of a tensor is taken for a size of its view. `needed`: eager needs that, too."""
    one, other = term_of(dim), term_of(size)
    what = None if needed or one is None or other is None else demanded(one, other)
    value = next((each for each in (dim, size) if type(each) is Sym and each.backed), None)
    if what is None or value is None or any(map(str.isidentifier, what.dimensions)):
        equal(frame, node, operation, dim, size)
        return
    demand(frame, node, operation, replace(what, narrows=True), dim, size)
    frame.emit(SizeNarrowed(frame.site(node), value, what.text, ViewGuard(what)))


def _facing(dims: Dims, sizes: list[Value]) -> list[tuple[Value, Value]]:
    """The first dimensions of a tensor and the sizes that a view has in their places, of other tensors all of them, where the
    view goes on with a size that is left open: where no example says what they are, they are taken to be equal.

    None where nothing would be left for the open size then (`frames.view(batch, -1, width)` of `[batch * time, width]`), and
    none behind which the tensor keeps a dimension: operators need the width that is left in `key.view(batch, keys, heads, -1)`.
    """
    rest = _place_of_rest(sizes)
    if rest is None or not _regroups(dims, sizes):
        return []
    front = [*takewhile(_are_dimensions, zip(dims, sizes[:rest], strict=False))]
    back = [*takewhile(_are_dimensions, zip(reversed(dims), reversed(sizes[rest + 1 :]), strict=False))]
    kept = any(term_of(dim) == term_of(size) for dim, size in front)
    return [] if kept or len(front) + len(back) >= len(dims) else front


def _quotient_of_others(dims: Dims, sizes: list[Value]) -> tuple[Term, Term] | None:
    """What the size that a view leaves open is the quotient of, where all sizes beside it are those of other tensors:
    `memory.view(batch * steps, -1)`. That a size divides a number, or the rest of its own tensor, is what the program checks when
    it runs (measured with torch 2.13)."""
    rest = _place_of_rest(sizes)
    if rest is None or not _regroups(dims, sizes):
        return None
    whole, part = elements(dims), elements([*sizes[:rest], *sizes[rest + 1 :]])
    if whole is None or part is None or len(whole.parts) * len(part.parts) != 1:
        return None
    apart = whole.dimensions and part.dimensions and not whole.dimensions & part.dimensions
    return (whole, part) if apart else None


def _divided_by_others(frame: Frame, node: ast.AST, left: tuple[Term, Term], sizes: list[Value]) -> None:
    whole, part = left
    value = next((size for size in sizes if type(size) is Sym and size.backed), None)
    if value is not None and not any(map(str.isidentifier, whole.dimensions | part.dimensions)):
        frame.emit(SizeNarrowed(frame.site(node), value, f"{whole} % ({part}) == 0", QuotientGuard(whole, part)))


def _regroups(dims: Dims, sizes: list[Value]) -> bool:
    """Whether a view takes dimensions together or apart and leaves one size open. If it does not, operators need what is left
    for that one to be what it was, as a rule: `mask.view(batch, 1, 1, -1)`."""
    before, after = (sum(number_of(size) != 1 for size in each) for each in (dims, sizes))
    return before != after and any(map(is_rest, sizes))


def _place_of_rest(sizes: list[Value]) -> int | None:
    return next((at for at, size in enumerate(sizes) if is_rest(size)), None)


def _are_dimensions(pair: tuple[Value, Value]) -> bool:
    return all(map(_is_dimension, pair))


def _is_dimension(size: Value) -> bool:
    """Whether a size is a dimension of an input, as it is."""
    term = term_of(size)
    return term is not None and term.linear is not None and term.linear[1:] == (1, 0)


def check_merged(frame: Frame, node: ast.AST, operation: str, dims: Collection[Value]) -> None:
    """Dimensions that become one. Export asks of the first ones whether the whole divides them, and proves of a quotient of a
    named Dim that it is larger than one for some of its least sizes only (`Term.proven_least`)."""
    terms = [term_of(size) for size in dims]
    known = [1 if term is None else term.value for term in terms]
    if None in terms or known.count(None) != 1:
        return
    at = known.index(None)
    before, behind = (prod(number or 1 for number in part) for part in (known[:at], known[at + 1 :]))
    needed = 2 if at else 1 if behind > 1 else 0
    quotient = terms[at]
    if quotient is None or not needed or before * behind == 0:
        return
    proven = quotient.proven_least(frame.run.dynamic.lowest)
    if proven is not None and proven < needed:
        whole = quotient * Term.number(before * behind)
        first = Term.number(before) if at else quotient
        size = next(size for size in dims if term_of(size) == quotient)
        demand(frame, node, operation, _unproven(f"{first} % ({whole}) != 0", quotient), size)


def _demanded(before: list[Value], after: list[Value]) -> Demand | None:
    """What makes sizes have as many numbers as others."""
    others = [size for size in after if not is_rest(size)]
    whole, part = elements(before), elements(others)
    if whole is None or part is None:
        return None
    if len(others) == len(after):
        return demanded(whole, part)
    if part.value:
        return divides(part.value, whole)
    if len(whole.parts) == len(part.parts) == 1 and whole.over(part) is None:
        return replace(_unproven(f"{whole} % ({part}) == 0", whole, part), mixed=whole.mixes or part.mixes)
    return None


def _left(before: list[Value], after: list[Value]) -> Demand | None:
    """What makes one size be one other, where all beside them are the same, or numbers."""
    old, new = Counter(map(term_of, before)), Counter(map(term_of, after))
    left = [[*(old - new).elements()], [*(new - old).elements()]]
    if any(sum(term is None or term.value is None for term in side) != 1 for side in left):
        return None
    one, other = map(product, left)
    what = None if one is None or other is None else demanded(one, other)
    # It is asked whether one divides the other then: of named dimensions nothing follows, of others one that is specialized.
    plain = len(left[0]) == len(left[1]) == 1 or (what is not None and not any(map(str.isidentifier, what.dimensions)))
    return what if plain else None


def sizes_of_view(dims: Dims, sizes: Dims, example: Mapping[str, int]) -> Dims:
    """The sizes that a view is left with. The last of those that several dimensions are taken together for is what these come
    to, and not what was asked: behind `x.reshape(b, n // 4, 4)` of `[b, n]` stands `n // (n // 4)`, which is 4 in the example and
    no number to export (measured with torch 2.13).

    Args:
        sizes: what was asked, -1 worked out.
    """
    if _is_plain(dims, sizes):
        return sizes
    found: list[Value] = []
    for met in _walk(dims, [*sizes], example):
        taken, asked = met.taken[-1], term_of(met.size)
        # A number that was asked is what export specializes, where it can solve that for a dimension.
        solved = asked is not None and asked.value is not None and taken is not None and not taken.has_ratio
        found.append(met.size if solved or not met.whole or taken == asked else of_term(taken, met.size))
    return (*found, *sizes[len(found) :])


def _is_plain(dims: Sequence[Value], sizes: Sequence[Value]) -> bool:
    """Whether it is a view of what is contiguous then, made at once and without any question."""
    return len(sizes) == 1 or (len(dims) == 1 and len(sizes) == 2)


@dataclass(frozen=True, slots=True)
class _Met:
    """A size of a view, and what export takes for it.

    Attributes:
        taken: one dimension, and what it comes to with each that is taken together with it until the size divides that.
        whole: nothing of it is left for the sizes behind.
    """

    size: Value
    taken: tuple[Term | None, ...]
    whole: bool


def _walk(dims: Dims, sizes: list[Value], example: Mapping[str, int]) -> Iterator[_Met]:
    """The sizes of a view one by one, as far as the example tells what export takes for them."""
    ahead = [(term_of(dim), _seen(dim, example)) for dim in reversed(dims)]
    for size in sizes:
        number = _seen(size, example)
        if not number or not ahead:
            return
        taken, there = ahead.pop()
        every = [taken]
        while there is not None and there % number and ahead:
            more, seen = ahead.pop()
            taken, there = product([taken, more]), None if seen is None else there * seen
            every.append(taken)
        if not there or there % number:
            return
        if there != number:
            length = term_of(size)
            ahead.append((taken.ratio(length) if taken is not None and length is not None else None, there // number))
        yield _Met(size, tuple(every), there == number)


def _told_apart(frame: Frame, dims: Dims, sizes: list[Value]) -> Demand | None:
    """What tells sizes of the view apart from those that it is a view of: export takes together as many as the next one
    divides in the example, leaves what remains for those behind it, and asks each time. None where the answers are the same
    for every size."""
    dynamic = frame.run.dynamic
    if _is_plain(dims, sizes):
        return None
    for met in _walk(dims, sizes, dynamic.sizes):
        length, taken = None if is_rest(met.size) else term_of(met.size), met.taken[0]
        if length is None or taken is None:
            return None  # what follows is not known to be asked
        if length == taken or (met.whole and len(met.taken) == 1):
            continue
        same = demanded(length, taken)
        if same is not None and same.kind == "number" and dynamic.allows(same.dimension, same.number):
            return _unproven(f"{same.dimension} != {same.number}", length, taken)
        for less in met.taken[:-1]:
            if less is None:
                return None
            if less.value and _divides(length, less.value, dynamic):
                return _unproven(f"{less} % {length} != 0", length)
    return None


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
    rest = next((at for at, size in enumerate(sizes) if is_rest(size)), None)
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
