"""Whether the guards of a slice or a view hold for some sizes only.

Export compares the bounds of a slice with the size that it is taken of, and keeps the answers of the example as guards: whether
a bound lies behind the end, whether anything is left and, inside of other dimensions, whether all of the size is taken, since
what is left of it is not contiguous (measured with torch 2.13). Where all sizes give the same answers, nothing is narrowed. That
is tried out on sizes: a bound may have quotients, remainders and extremes in it, of which little can be proven.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from exportdb_rules.terms import Term, answered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from exportdb_rules.terms import Demand

# A comparison that came out as it did on the way to a slice.
Answer = tuple[tuple[str, Term, Term], bool]
# Numbers in a term that are no index of a shape.
_NUMBERS: Final = re.compile(r"(?<![\w\[.])\d+")
# Of larger numbers, or of more dimensions, nothing is said.
_MAX_STEP: Final = 4096
_MAX_DIMENSIONS: Final = 3


@dataclass(frozen=True, slots=True)
class SliceGuard:
    """A slice `[start:stop]` of a size. `inner`: it lies inside of other dimensions of a tensor that is contiguous. `path`: what
    is known where it stands."""

    start: Term | None
    stop: Term | None
    size: Term
    inner: bool
    path: tuple[Answer, ...] = ()

    def narrows(self, demands: Iterable[Demand]) -> bool:
        """Whether some sizes give other answers than others, among those that the operators of an entry take at all."""
        terms = [term for term in (self.start, self.stop, self.size) if term is not None]
        names = sorted(frozenset[str]().union(*[term.dimensions for term in terms]))
        step = math.lcm(*[number for term in terms for number in map(int, _NUMBERS.findall(str(term))) if number])
        if len(names) > _MAX_DIMENSIONS or step > _MAX_STEP:
            return False
        found: set[tuple[bool, ...]] = set()
        negative: set[tuple[bool, ...]] = set()
        for sizes in _sizes(names, step, [*demands]):
            if self._is_reached(sizes):
                start, stop, answer = self._answers(sizes)
                # Sizes below what is cut off are another matter, unless the bounds count from the end.
                (negative if min(start, stop) < 0 else found).add(answer)
            if len(found) > 1:
                return True
        return not found and len(negative) > 1

    def _is_reached(self, sizes: Mapping[str, int]) -> bool:
        return all(answered(asked, sizes) in (None, answer) for asked, answer in self.path)

    def _answers(self, sizes: Mapping[str, int]) -> tuple[int, int, tuple[bool, ...]]:
        """The bounds, and what is asked of them."""
        whole = self.size.at(sizes) or 0
        start = 0 if self.start is None else self.start.at(sizes) or 0
        stop = whole if self.stop is None else self.stop.at(sizes) or 0
        first, last = (bound + whole if bound < 0 else bound for bound in (start, stop))
        beyond = (first < 0 or first > whole, last < 0 or last > whole)
        return start, stop, (*beyond, self.inner and first <= 0 and last >= whole, min(last, whole) <= max(first, 0))


@dataclass(frozen=True, slots=True)
class EmptyGuard:
    """A size that was computed: export asks whether it is 0, as it asks of a size of an input, and keeps the answer."""

    size: Term
    path: tuple[Answer, ...] = ()

    def narrows(self, demands: Iterable[Demand]) -> bool:
        """Whether it is 0 for some sizes that the operators of an entry take, and not for others."""
        return SliceGuard(None, self.size, self.size, inner=False, path=self.path).narrows(demands)


@dataclass(frozen=True, slots=True)
class ViewGuard:
    """A view that has another's size where its own one stands, and one that is left open (`y.view(len(x), -1, 4)`): export takes
    them for equal, as they are in the example, and eager asks only whether there are enough numbers in all."""

    equality: Demand

    def narrows(self, demands: Iterable[Demand]) -> bool:
        """Whether no operator of an entry needs the two to be equal, as far as is known: one that relates both, with what the
        view leaves of them, may. What only export demands does not count."""
        pair = _equal(self.equality)
        needed = [
            demand for demand in demands if demand.kind == "relation" and demand != replace(self.equality, narrows=True)
        ]
        if pair is None or any(demand.dimensions.issuperset(pair) for demand in needed):
            return False
        root = _alike(pair, needed)
        return root[pair[0]] != root[pair[1]]


@dataclass(frozen=True, slots=True)
class QuotientGuard:
    """A view that leaves a size open which is a quotient of sizes of several tensors: that it is whole is asked, which holds for
    what eager takes, and export takes the example's sizes alone."""

    whole: Term
    part: Term

    def narrows(self, demands: Iterable[Demand]) -> bool:
        """Whether no operator of an entry relates the two, as far as is known, nor what is left of them."""
        # That it is whole is asked of the same sizes.
        needed = [demand for demand in demands if demand.kind != "unproven" or not demand.mixed]
        names = self.whole.dimensions | self.part.dimensions
        root = _alike(names, needed)
        if {root[name] for name in self.whole.dimensions} & {root[name] for name in self.part.dimensions}:
            return False
        return not any(
            demand.dimensions >= self.part.dimensions and demand.dimensions & self.whole.dimensions for demand in needed
        )


def _sizes(names: list[str], step: int, demands: list[Demand]) -> Iterator[dict[str, int]]:
    """Sizes of dimensions which the operators of an entry take: those that have to be equal are, those that have to be a number
    are that number."""
    root = _alike(names, demands)
    fixed = {demand.dimension: demand.number for demand in demands if demand.kind == "number"}
    frozen = frozenset[str]().union(*[demand.dimensions for demand in demands if demand.kind == "frozen"])
    numbers = {root.get(name, name): number for name, number in fixed.items()}
    frozen = {root.get(name, name) for name in frozen}
    small = range(3 * step, 3 * step + min(step, 8) + 1)
    of_step = [5 * step, 7 * step, 7 * step + 1, 12 * step, 16 * step + step // 2]
    tried = [sorted({*small, *of_step, *range(8, 14)}), of_step, of_step[1:]][max(len(names), 1) - 1]
    roots = sorted({root[name] for name in names})
    every = [[numbers[name]] if name in numbers else tried[:1] if name in frozen else tried for name in roots]
    for chosen in itertools.product(*every):
        by_root = dict(zip(roots, chosen, strict=True))
        yield {name: by_root[root[name]] for name in names}


def _alike(names: Iterable[str], demands: Iterable[Demand]) -> dict[str, str]:
    """One dimension for each that has to be equal to it."""
    root = {name: name for name in names}
    for pair in map(_equal, demands):
        if pair is not None:
            one, other = (root.setdefault(name, name) for name in pair)
            root.update({name: one for name, of in root.items() if of == other})
    return root


def _equal(demand: Demand) -> tuple[str, str] | None:
    """The two dimensions that have to be equal, if that is what is demanded."""
    parts = () if demand.kind != "relation" or demand.difference is None else demand.difference.parts
    if sorted(factor for _, factor in parts) != [-1, 1] or any(len(product) != 1 for product, _ in parts):
        return None
    one, other = (product[0] for product, _ in parts)
    return None if one.startswith("(") or other.startswith("(") else (one, other)
