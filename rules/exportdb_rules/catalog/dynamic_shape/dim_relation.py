"""# dim-relation

## What it does
Finds operators that hold only for some of the sizes that named `Dim`s promise: two dimensions of different names that must
be equal, or of a fixed relation, a dimension that must be a multiple of a number, and one that must be larger than its
range says: `x[2:]` of fewer than four rows has no rows left, or one, and export takes no dynamic size for 0 or 1.

## Why export cannot do it
The operator compares the sizes while export traces, and the comparison becomes a guard. Each name stands for a range of
its own, and export refuses a guard that some sizes in the ranges break: "Constraints violated". `Dim.AUTO` and
`Dim.DYNAMIC` take the relation over in silence.

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

A multiple is declared as a derived dimension, `4 * Dim("n")`, and so is a size that is one larger, `n + 1`.

## Fix safety
No fix is offered: which sizes belong together, and which of the declarations is meant, is yours to say. The message names
the declaration that holds; `Dim.DYNAMIC` in place of a name takes the sizes for which the relation does.

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
    """Named dimensions have to have a relation that is not declared."""

    code = "EDB308"
    name = "dim-relation"
    family = "dynamic_shape"
    summary = "named dimensions have to have a relation that is not declared"
    facts = (SizeDemanded,)
    cases = ("equal_sizes_named", "derived_dim", "dim_not_divisible")

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, SizeDemanded)
        demand = fact.demand
        # A size without a name takes part in any relation.
        if demand.kind == "number" or not all(name.isidentifier() for name in demand.dimensions):
            return
        if demand.kind == "least":
            message = (
                f"{quote(fact.site)} needs `{demand.text}`: the named dimension promises smaller sizes, too "
                f"(declare it with `min={demand.number}`)"
            )
            yield Report(fact.site, "dim_range_too_wide", message, sure=fact.value.sure)
            return
        if demand.kind == "multiple":
            message = (
                f"{quote(fact.site)} needs `{demand.dimension}` to be a multiple of {demand.number}: the named dimension promises "
                f"others, too (declare it as `{demand.number} * {_short(demand.dimension)}`)"
            )
            yield Report(fact.site, "dim_not_divisible", message, sure=fact.value.sure)
            return
        case = "equal_sizes_named" if _plain(demand.text) else "derived_dim"
        message = f"{quote(fact.site)} needs `{demand.text}`: the named dimensions promise other sizes, too"
        yield Report(fact.site, case, message, sure=fact.value.sure)


def _plain(text: str) -> bool:
    """Whether a relation says that two dimensions are equal, and nothing else."""
    return all(side.isidentifier() for side in text.split(" == "))


def _short(name: str) -> str:
    """A name for the part of a derived dimension."""
    return f"_{name}" if not name.startswith("_") else name
