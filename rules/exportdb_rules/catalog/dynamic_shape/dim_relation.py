"""# dim-relation

## What it does
Finds operators that are valid only for some of the sizes that named `Dim`s allow: two differently named dimensions that
must be equal or otherwise related, a dimension that must be a multiple of a number, and a dimension that must be larger
than the lower end of its range: `x[2:]` of fewer than four rows has one row or none, and export specializes dynamic
sizes of 0 and 1. Also finds slices, `narrow` and `topk` by a part of their own size (`x[: n // 2]`, `x.topk(min(10, n))`),
of which export cannot prove that there are so many while the dimension is a plain name, and `chunk` and `split` of several
times its size (`torch.cat([x, y]).chunk(2)`), of which it cannot prove how many parts there are; windows (`x.unfold(1, 4, 2)`)
that a layer copies into rows, and parts of a dimension (`n // 2`, behind a pooling) that it takes together with others as rows.

## Why export cannot do it
The operator compares the sizes while tracing, and the comparison becomes a guard. Each name stands for a range of its
own, and export rejects a guard that does not hold for every size in the ranges: "Constraints violated". `Dim.AUTO` and
`Dim.DYNAMIC` adopt the relation silently. A relation of three dimensions (`a + b == c`), or one that determines neither
dimension (`2 * a == 3 * b`), becomes a runtime assertion and is not reported, unless it narrows a declared range: with
`c <= 20`, `a` can be 18 at most, and a division (`a + b == c // 2`) always does.

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
Unsafe: eager does not change, and the exported program accepts only the sizes for which the guard holds. The fix edits
`dynamic_shapes`: one Dim for two equal dimensions, a derived Dim (`a + 1`, `4 * _n`), a range (`min=4`), or `Dim.AUTO`,
which adopts the guard. No fix is offered where the declaration is not written out in the same file, or where another
export or other code uses the same Dim. For torch 2.14 and newer a fix by choice turns all Dims of the declaration into
`ShapeVar`s, over which relations are checked when the program runs.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB308` prints them.

## References
- torch.export programming model, "Dynamic shapes"
- torch.export tutorial, "Constraints violated"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import SizeDemanded
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.terms import Demand


class DimRelation(Rule):
    """Named dimensions do not declare a relation that an operator requires."""

    code = "EDB308"
    name = "dim-relation"
    family = "dynamic_shape"
    summary = "Named dimensions do not declare a relation that an operator requires"
    facts = (SizeDemanded,)
    cases = (
        "equal_sizes_named",
        "derived_dim",
        "dim_not_divisible",
        "dim_minimum",
        "dim_minimum_needed",
        "derived_minimum",
        "derived_minimum_needed",
        "stft_named",
        "floor_division_named",
        "floor_named",
        "ceil_named",
        "topk_of_quotient_named",
        "topk_of_min_named",
        "index_at_quotient_named",
        "irfft_named",
        "rfft_named",
        "chunk_of_cat_named",
        "windows_named",
        "windows_overlap_named",
        "merged_quotient_named",
        "cdist_named",
        "slice_beyond_named",
        "split_unbacked",
        "chunk_unbacked",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, SizeDemanded)
        demand = fact.demand
        if context.dimensions == "unbacked":
            # A relation is checked when the program runs; how many parts there are is asked while tracing.
            if fact.operation in ("split", "chunk"):
                message = f"{quote(fact.site)} makes a number of parts that depends on the unbacked size of an input"
                yield Violation(
                    fact.site, context.sized(fact.operation), message, evidence=fact.value.evidence, demand=demand
                )
            return
        # A size without a name takes part in any relation.
        if (
            demand.kind in ("number", "frozen")
            or demand.leaves_one
            or demand.mixed
            or not all(name.isidentifier() for name in demand.dimensions)
        ):
            return
        if demand.kind == "least":
            why = (
                f"and the program refuses the smaller sizes that `{demand.dimension}` is declared to have"
                if demand.adopted
                else "but the named dimension allows smaller sizes"
            )
            message = f"{quote(fact.site)} requires `{demand.text}`, {why}: declare it with `min={demand.number}`"
            case = ("derived_minimum" if demand.adopted else "dim_minimum") + ("_needed" if demand.strict else "")
            yield Violation(fact.site, case, message, evidence=fact.value.evidence, fixable=True, demand=demand)
            return
        if demand.kind == "most":
            sliced = fact.operation == "slice"
            why = (
                f"requires `{demand.text}`, as in the example,"
                if sliced
                else f"uses another algorithm where `{demand.dimension}` is larger than {demand.number},"
            )
            message = f"{quote(fact.site)} {why} but the named dimension allows larger sizes: declare it with `max={demand.number}`"
            case = "slice_beyond_named" if sliced else "cdist_named"
            yield Violation(fact.site, case, message, evidence=fact.value.evidence, fixable=True, demand=demand)
            return
        if demand.kind == "multiple":
            message = (
                f"{quote(fact.site)} requires `{demand.dimension}` to be a multiple of {demand.number}, but the named dimension "
                f"allows other sizes: declare it as `{demand.number} * {_short(demand.dimension)}`"
            )
            case = "dim_not_divisible" if demand.strict else "windows_named"
            yield Violation(fact.site, case, message, evidence=fact.value.evidence, fixable=True, demand=demand)
            return
        if demand.kind == "unproven":
            message = (
                f"{quote(fact.site)} requires `{demand.text}`, which export cannot prove for a named dimension: "
                "declare a range or a multiple for which it holds, or `Dim.AUTO`"
            )
            case = "floor_division_named" if fact.operation == "slice" else "topk_of_quotient_named"
            case = "index_at_quotient_named" if fact.operation in ("item", "select", "narrow") else case
            case = "chunk_of_cat_named" if fact.operation in ("chunk", "split") else case
            case = "windows_overlap_named" if " != " in demand.text else case
            case = "merged_quotient_named" if demand.text.endswith(" != 0") else case
            case = "irfft_named" if fact.operation.startswith("irfft") else case
            case = "rfft_named" if fact.operation in ("rfft", "rfft2", "ihfft") else case
            case = "topk_of_min_named" if " min(" in f" {demand.text}" else case
            yield Violation(fact.site, case, message, evidence=fact.value.evidence, fixable=True, demand=demand)
            return
        if not _ties(demand):
            return
        case = "equal_sizes_named" if _plain(demand.text) else "derived_dim"
        message = f"{quote(fact.site)} requires `{demand.text}`, but the named dimensions allow other sizes"
        yield Violation(fact.site, case, message, evidence=fact.value.evidence, fixable=True, demand=demand)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.declarations import declaration_fixes
        from exportdb_rules.rewrite.interface.unbacked_sizes import unbacked_sizes

        return (*declaration_fixes(context), *unbacked_sizes(context))


def _ties(demand: Demand) -> bool:
    """Whether export refuses names that allow other sizes than a relation: where it says what one dimension is in terms of
    one other, and where it narrows a range. What ties three dimensions otherwise, or can be solved for none
    (`2 * a == 3 * b`), is checked when the exported program runs (measured with torch 2.13)."""
    if demand.narrows or demand.difference is None or len(demand.dimensions) != 2:
        return demand.narrows
    parts = demand.difference.parts
    return any(
        len(product) == 1 and abs(factor) == 1 and sum(product[0] in other for other, _ in parts) == 1
        for product, factor in parts
    )


def _plain(text: str) -> bool:
    """Whether a relation says that two dimensions are equal, and nothing else."""
    return all(side.isidentifier() for side in text.split(" == "))


def _short(name: str) -> str:
    """A name for the part of a derived dimension."""
    return f"_{name}" if not name.startswith("_") else name
