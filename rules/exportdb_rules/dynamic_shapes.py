"""Which dimensions of an entry's inputs are dynamic, and how they were declared."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Final

from exportdb_rules.terms import LEAST, NEGATED, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.terms import Demand

# Where a tensor is among the inputs: a parameter, then indices and keys into what it is given.
Path = tuple[str | int, ...]
# The maximum of a dimension that is declared to have one which is not known.
UNREAD: Final = inf


def place_of(path: Path) -> str:
    """A place as code: `batch['mask'][0]`."""
    return "".join([str(path[0]), *[f"[{part!r}]" for part in path[1:]]])


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dynamic dimension: `name` is what two of one size share (None: nothing is said), the rest its range. `unbacked`:
    export gives it no size of the example, and so does not specialize 0 and 1. `high` is `UNREAD` where a maximum is said, and
    not known."""

    name: str | None = None
    low: int = 0
    high: float | None = None
    unbacked: bool = False


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Which dimensions of an entry's tensors are dynamic: their indices by parameter, and how they were declared.

    `parameters` None means that every tensor has the dimensions `everywhere`; an empty `everywhere` with
    `all_dimensions` unset means none at all. `low` and `high` bound all of them, as far as every `Dim` says so.
    """

    kind: str = "auto"
    parameters: dict[str, frozenset[int]] | None = None
    all_dimensions: bool = False
    everywhere: frozenset[int] = frozenset()
    low: int = 0
    high: float | None = None
    declared: dict[Path, dict[int, Dimension]] = field(default_factory=dict[Path, dict[int, Dimension]])
    """What is said of each dimension that is dynamic, by tensor and index, which may count from the end."""
    example: ast.expr | None = None
    """The arguments that the call of an export function which declares them is given."""
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    """What each dimension is in the example, by its name in terms: which side of a guard export takes."""

    @classmethod
    def of(cls, kind: str, names: Iterable[str], declared: dict[Path, dict[int, Dimension]]) -> Dimensions:
        """What is said of each dimension that is dynamic, of an entry with the parameters `names`; all others are static."""
        parameters: dict[str, frozenset[int]] = dict.fromkeys(names, frozenset())
        for path, dimensions in declared.items():
            parameters[str(path[0])] = parameters.get(str(path[0]), frozenset()) | frozenset(dimensions)
        said = [dimension for dimensions in declared.values() for dimension in dimensions.values()]
        highs = [dimension.high for dimension in said]
        return cls(
            kind,
            parameters,
            low=min((dimension.low for dimension in said), default=0),
            high=None if None in highs else max((h for h in highs if h is not None), default=None),
            declared=declared,
        )

    @property
    def any(self) -> bool:
        """Whether any dimension is dynamic."""
        return self.all_dimensions or bool(self.everywhere) or any((self.parameters or {}).values())

    def indices(self) -> frozenset[int]:
        """The indices at which some parameter is dynamic."""
        if self.parameters is None:
            return self.everywhere
        return frozenset().union(*self.parameters.values())  # pyright: ignore[reportUnknownVariableType]

    def promises(self, name: str, low: int) -> bool:
        """Whether the dimension of a name is declared to be no smaller than a number."""
        if self.derives(name):
            return self.lowest(name) >= low
        return any(dimension.name == name and dimension.low >= low for dimension in self._said())

    def allows(self, name: str, size: int) -> bool:
        """Whether the dimension of a name may have a size, as far as its declaration says."""
        return self.lowest(name) <= size <= self.highest(name)

    def derives(self, name: str) -> bool:
        """Whether a named Dim is declared only by what derives from it (`2 * n`): what is required of it is then adopted,
        as it is of a dimension without a name, unless it is a single size (measured with torch 2.13)."""
        return name.isidentifier() and all(dimension.name != name for dimension in self._said())

    def adopts(self, demand: Demand) -> bool:
        """Whether export accepts a declaration although an operator demands more. A number is adopted where a part of the
        derived Dim has to be it (`2 * n`, of which half is 3), and refused where the whole has (measured with torch 2.13)."""
        if not any(map(self.derives, demand.dimensions)):
            return False
        if demand.kind != "number":
            return True
        factors = [factor for _, (name, factor, _) in self._roots() if name == demand.dimension]
        return bool(factors) and all(demand.factor % factor for factor in factors)

    def are_narrowed_by(self, difference: Term) -> bool:
        """Whether a sum of dimensions that is 0 leaves a named one a smaller maximum than it is declared to have: in
        `a + b == c` that of `c` limits `a` and `b`, and theirs do not limit `c`, which is replaced by the sum (measured with
        torch 2.13)."""
        parts = [(product, factor) for product, factor in difference.parts if product]
        if any(len(product) > 1 for product, _ in parts):
            return False
        rest = sum(factor for product, factor in difference.parts if not product)

        def largest(factor: int, name: str) -> float:
            return factor * (self.highest(name) if factor > 0 else LEAST)

        for (name,), sign in parts:
            if abs(sign) == 1 and sum(factor * sign > 0 for _, factor in parts) > 1:
                others = [largest(-sign * factor, other) for (other,), factor in parts if other != name]
                if sum(others) - sign * rest < self.highest(name):
                    return True
        return False

    def leave_open(self, asked: tuple[str, Term, Term], answer: bool) -> bool:
        """Whether the guard that a comparison of several dimensions becomes, with the answer of the example, narrows none of
        them. No named Dim is refused for it then, and the program refuses what would be answered otherwise: `n >= m` with
        the same least size, `n != m`, and of a Dim that is declared only by what derives from it (measured with torch 2.13)."""
        kind, one, other = asked
        kind, difference = kind if answer else NEGATED[kind], one - other
        if kind != "==" and any(map(self.derives, difference.dimensions)):
            return True
        if len(difference.dimensions) < 2 or kind == "==":
            return len(difference.dimensions) > 1 and not difference.solves
        if kind == "!=":
            return True
        left = difference if kind in (">", ">=") else other - one
        return not self._are_narrowed_to(left - Term.number(kind in ("<", ">")))

    def _are_narrowed_to(self, left: Term) -> bool:
        """Whether a sum that is not below 0 leaves a dimension less than its range; also where that is not known."""
        parts = [(product, factor) for product, factor in left.parts if product]
        if left.divides or any(len(product) > 1 for product, _ in parts):
            return True
        rest = sum(factor for product, factor in left.parts if not product)
        most = {name: factor * (self.highest(name) if factor > 0 else self.lowest(name)) for (name,), factor in parts}
        for (name,), factor in parts:
            others = rest + sum(value for other, value in most.items() if other != name)
            bound = -others / factor
            if bound > self.lowest(name) if factor > 0 else bound < self.highest(name):
                return True
        return False

    def lowest(self, name: str) -> int:
        """The smallest size that export takes the dimension of a name to have. That of one which is declared only by what
        derives from it (`2 * n`) may be 1, where it is declared so."""
        if not self.derives(name):
            return max([LEAST, *[said.low for said in self._said() if said.name == name]])
        roots = [(said.low, root) for said, root in self._roots() if root[0] == name and said.low > 0 and root[1] > 0]
        return max([-((rest - low) // factor) for low, (_, factor, rest) in roots], default=LEAST)

    def highest(self, name: str) -> float:
        """The largest size that the dimension of a name is declared to have; infinite where nobody says."""
        highest = [said.high for said in self._said() if said.name == name]
        return min((high for high in highest if high is not None), default=inf)

    def _roots(self) -> Iterator[tuple[Dimension, tuple[str, int, int]]]:
        """What is declared, with the one dimension that it derives from, the factor, and what is added."""
        for said in self._said():
            term = None if said.name is None else Term.written(said.name)
            if term is not None and (root := term.linear) is not None:
                yield said, root

    def _said(self) -> Iterator[Dimension]:
        for dimensions in self.declared.values():
            yield from dimensions.values()

    def key(self) -> tuple[object, ...]:
        """What tells two of them apart where functions are memoised."""
        return (self.kind, self.all_dimensions, self.indices(), self.low, self.high, *sorted(self.sizes.items()))


NONE: Final = Dimensions()
BATCH: Final = Dimensions("assumed", everywhere=frozenset({0}))
ALL: Final = Dimensions("assumed", all_dimensions=True)


def assumed(setting: str) -> Dimensions:
    """The dimensions that `--assume-dynamic` stands for."""
    return {"none": NONE, "batch": BATCH, "all": ALL}[setting]
