"""# dim-relation

## What it does
Finds operators that are valid only for some of the sizes that named `Dim`s allow: two differently named dimensions that
must be equal or otherwise related, a dimension that must be a multiple of a number, and a dimension that must be larger
than the lower end of its range: `x[2:]` of fewer than four rows has one row or none, and export specializes dynamic
sizes of 0 and 1.

## Why export cannot do it
The operator compares the sizes while tracing, and the comparison becomes a guard. Each name stands for a range of its
own, and export rejects a guard that does not hold for every size in the ranges: "Constraints violated". `Dim.AUTO` and
`Dim.DYNAMIC` adopt the relation silently.

## Example
```python
def forward(self, x, y):       # dynamic_shapes={"x": {0: Dim("a")}, "y": {0: Dim("b")}}
    return x + y
```

## Use instead
```python
def forward(self, x, y):       # dynamic_shapes={"x": {0: Dim("n")}, "y": {0: Dim("n")}}
    return x + y
```

Declare a multiple as a derived dimension, `4 * Dim("n")`, and a size that is one larger as `n + 1`.

## Fix safety
No fix is offered: only you know which sizes belong together and which declaration is meant. The message names a
declaration that satisfies the guard; `Dim.DYNAMIC` instead of a name accepts the sizes for which the relation holds.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB308` prints them.

## References
- torch.export programming model, "Dynamic shapes"
- torch.export tutorial, "Constraints violated"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import SizeDemanded
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class DimRelation(Rule):
    """Named dimensions do not declare a relation that an operator requires."""

    code = "EDB308"
    name = "dim-relation"
    family = "dynamic_shape"
    summary = "Named dimensions do not declare a relation that an operator requires"
    facts = (SizeDemanded,)
    cases = ("equal_sizes_named", "derived_dim", "dim_not_divisible", "dim_minimum")

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, SizeDemanded)
        demand = fact.demand
        # A size without a name takes part in any relation.
        if demand.kind == "number" or not all(name.isidentifier() for name in demand.dimensions):
            return
        if demand.kind == "least":
            message = (
                f"{quote(fact.site)} requires `{demand.text}`, but the named dimension allows smaller sizes: "
                f"declare it with `min={demand.number}`"
            )
            yield Report(fact.site, "dim_minimum", message, sure=fact.value.sure)
            return
        if demand.kind == "multiple":
            message = (
                f"{quote(fact.site)} requires `{demand.dimension}` to be a multiple of {demand.number}, but the named dimension "
                f"allows other sizes: declare it as `{demand.number} * {_short(demand.dimension)}`"
            )
            yield Report(fact.site, "dim_not_divisible", message, sure=fact.value.sure)
            return
        case = "equal_sizes_named" if _plain(demand.text) else "derived_dim"
        message = f"{quote(fact.site)} requires `{demand.text}`, but the named dimensions allow other sizes"
        yield Report(fact.site, case, message, sure=fact.value.sure)


def _plain(text: str) -> bool:
    """Whether a relation says that two dimensions are equal, and nothing else."""
    return all(side.isidentifier() for side in text.split(" == "))


def _short(name: str) -> str:
    """A name for the part of a derived dimension."""
    return f"_{name}" if not name.startswith("_") else name
