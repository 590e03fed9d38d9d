"""Dimensions that are specialized because they have to equal another one that is.

`x + y` makes two dynamic dimensions one. Export adopts that of `Dim.AUTO` and `Dim.DYNAMIC` and says nothing; but what
specializes `x.shape[1]` specializes `y.shape[1]`, too: the line that does it if the two are one by then, and otherwise the one
that makes them equal (measured with torch 2.13; torch docs, "Dynamic shapes").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exportdb_rules.facts import SizeDetermined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.facts import SizeDemanded
    from exportdb_rules.rule import Context, Violation
    from exportdb_rules.terms import Demand
    from exportdb_rules.values import Evidence, Site


@dataclass(frozen=True, slots=True)
class Place:
    """When something happens: the number of a fact in what a run of a function gave."""

    summary: int
    number: int

    def precedes(self, other: Place) -> bool:
        """Whether it is known to happen first."""
        return self.summary == other.summary and self.number < other.number


@dataclass(frozen=True, slots=True)
class Relation:
    """An operator that relates sizes, where it stands, and what it shows at the most."""

    fact: SizeDemanded
    context: Context
    called_at: Site | None
    most: Evidence
    place: Place


class EqualSizes:
    """What an entry specializes, and the relations through which more is."""

    def __init__(self) -> None:
        self._specialized: dict[str, tuple[Site, Evidence, Place]] = {}
        # With the dimensions of each.
        self._relations: list[tuple[Relation, list[str]]] = []

    def specialize(self, report: Violation, place: Place) -> None:
        """Something was reported: if it specializes a dimension as a whole, that is remembered."""
        demand = report.demand
        if demand is not None and demand.kind in ("number", "frozen") and demand.dimension in demand.dimensions:
            self._specialized.setdefault(demand.dimension, (report.site, report.evidence, place))

    def is_specialized(self, dimensions: Iterable[str]) -> bool:
        """Whether all of these dimensions are specialized."""
        return all(name in self._specialized for name in dimensions)

    def relate(self, relation: Relation) -> None:
        """An operator demands something of sizes: if that is a relation of several, it is remembered."""
        names = _related(relation.fact.demand)
        if relation.context.dimensions != "unbacked" and len(names) > 1:
            self._relations.append((relation, names))

    def followed(self) -> Iterator[tuple[Relation, SizeDetermined]]:
        """Each dimension without a name that a relation determines, since all others of it are specialized."""
        before = -1
        while before != len(self._specialized):
            before = len(self._specialized)
            for relation, names in self._relations:
                left = [name for name in names if name not in self._specialized]
                if len(left) != 1:
                    continue
                (name,), fact = left, relation.fact
                others = tuple([other for other in names if other != name])
                site, evidence, place = self._specialized[others[0]]
                evidence = min(evidence, fact.value.evidence, relation.most)
                one_before = _makes_one(fact.demand) and relation.place.precedes(place)
                self._specialized[name] = (site, evidence, place if one_before else relation.place)
                if not name.isidentifier() and not one_before:
                    yield relation, SizeDetermined(fact.site, name, others, fact.demand.text, site, evidence)


def _makes_one(demand: Demand) -> bool:
    """Whether two dimensions are one from there on: `a == b`."""
    parts = () if demand.difference is None else demand.difference.parts
    return sorted(factor for product, factor in parts if product) == [-1, 1] and len(parts) == 2


def _related(demand: Demand) -> list[str]:
    """The dimensions of a sum that has to be 0: all but one of them determine that one. None of what has quotients or products."""
    if demand.kind != "relation" or demand.difference is None:
        return []
    products = [product for product, _ in demand.difference.parts if product]
    plain = all(len(product) == 1 and product[0] in demand.dimensions for product in products)
    return [name for product in products for name in product] if plain else []
