"""# fixed-size

## What it does
Finds operators that work for a single size of a dynamic dimension: a fixed-size tensor, parameter or layer combined
with it, or a reshape with a hard-coded size. Finds slices of parameters, buffers and constants by a dynamic size:
position tables, attention biases, convolution kernels. Finds example inputs of size 1 in a dimension that
`dynamic_shapes` declares as dynamic, and operators through which a dimension is specialized because another one is: they
require the two to be equal. Finds operators that leave a size of 1 of the example's, as `x[1:]` does of 2 rows, and strided
convolutions of an image of 32 pixels, and slices
up to a fixed bound (`x[:, :5]`) or another size (`x[:, : n // 4 * 4]`) of a dimension without a name, views of one input by
a size of another (`context.view(x.shape[0], -1, 4)`), and slices and tensors that are empty for some sizes only
(`x.new_zeros(batch, -n % 4)`), which export then narrows.

## Why export cannot do it
The slice is valid only while the dynamic size does not exceed the size of the table. A named `Dim` allows larger sizes
unless it has a `max`. A size of 1 in the example is specialized: the dimension becomes the constant 1. So is a size that
is computed: where `x.shape[0] - 1` is 1, `x.shape[0]` becomes the constant 2. Where several sizes leave 1, as those up to 32 of a
body of stride 32, export narrows the dimension to them. A computed size of 0 is specialized in the same way: padding that the
example does not need leaves a program that takes no size which needs some.

## Example
```python
def forward(self, x):          # dynamic_shapes={"x": {0: Dim("n")}}, self.table has 16 rows
    return x + self.table[: x.shape[0]]
```

## Use instead
```python
def forward(self, x):          # dynamic_shapes={"x": {0: Dim("n", max=16)}}
    return x + self.table[: x.shape[0]]
```

## Fix safety
Unsafe: eager does not change, and the exported program accepts only the sizes that fit into the table, or only the one
size that the operator allows: the fix edits `dynamic_shapes`, to a range (`max=512`) or `Dim.STATIC`. A larger
size in the example (2 for 1) does not change the model, but the model must accept that size.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB305` prints them.

## References
- torch.export programming model, "Dynamic shapes"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.dynamic_shapes import UNREAD
from exportdb_rules.facts import ExampleOfOne, Indexed, SizeDemanded, SizeDetermined, SizeNarrowed
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.slice_guards import EmptyGuard, QuotientGuard, ViewGuard
from exportdb_rules.terms import Term, frozen, most
from exportdb_rules.values import Evidence, Static, Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.terms import Demand


# Of these a dimension is one number: no range is left that Dim.DYNAMIC could take.
_FIXED = ("fixed_reshape", "fixed_constant")


def _fits(fact: Indexed) -> Demand | None:
    """That what is asked for is not more than there is; None where one of the two is not known."""
    term = fact.index.term if type(fact.index) is Sym else None
    size = fact.size.number if type(fact.size) is Static else None
    if term is None or size is None:
        return None
    return most(Term() - term if _is_negative(fact) else term, size)


def _is_negative(fact: Indexed) -> bool:
    """Whether a bound counts from the end."""
    return type(fact.index) is Sym and fact.index.high is not None and fact.index.high < 0


def _is_bounded(fact: Indexed) -> bool:
    """Whether the declaration says that there is always as much as is asked for, as far as is known."""
    high = fact.index.high if type(fact.index) is Sym else None
    if type(fact.index) is Sym and _is_negative(fact):
        high = None if fact.index.low is None else -fact.index.low
    size = fact.size.number if type(fact.size) is Static else None
    return high is not None and (size is None or high <= size or high == UNREAD)


def _narrowed(fact: SizeNarrowed) -> tuple[str, str]:
    """The case of what narrows a dimension, and what is said of it."""
    if isinstance(fact.guard, EmptyGuard):
        return "empty_for_some", (
            "is empty for some sizes of a dynamic dimension and not for others: export narrows the dimension to those that are as the "
            "example's"
        )
    limit = f" to `{fact.text}`" if fact.text else ""
    bound = "a fixed bound" if fact.guard is None else "another size"
    text = f"compares a dynamic dimension with {bound}: export narrows it{limit}"
    if isinstance(fact.guard, (QuotientGuard, ViewGuard)):
        return "view_by_other", text
    return "sliced_to_bound" if fact.guard is None else "sliced_to_size", text


class FixedSize(Rule):
    """A fixed size meets a dynamic dimension."""

    code = "EDB305"
    name = "fixed-size"
    family = "dynamic_shape"
    summary = "A fixed size meets a dynamic dimension"
    facts = (Indexed, ExampleOfOne, SizeDemanded, SizeDetermined, SizeNarrowed)
    cases = (
        "fixed_constant",
        "fixed_constant_named",
        "fixed_constant_dynamic",
        "fixed_reshape",
        "fixed_reshape_named",
        "fixed_buffer_slice",
        "fixed_buffer_slice_named",
        "size_one",
        "size_one_named",
        "size_one_dynamic",
        "size_one_computed",
        "size_one_computed_named",
        "size_one_computed_dynamic",
        "size_one_range",
        "size_one_range_dynamic",
        "size_one_range_named",
        "size_one_range_needed_named",
        "fixed_constant_unbacked",
        "fixed_reshape_unbacked",
        "fixed_linear_unbacked",
        "fixed_reshape_dynamic",
        "equal_to_specialized",
        "equal_to_specialized_dynamic",
        "cdist_auto",
        "sliced_to_bound_auto",
        "sliced_to_bound_dynamic",
        "sliced_to_size_auto",
        "sliced_to_size_dynamic",
        "empty_for_some_auto",
        "empty_for_some_dynamic",
        "view_by_other_auto",
        "view_by_other_dynamic",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, ExampleOfOne):
            size = f"{fact.place}.shape[{fact.index}]"
            message = (
                f"`{size}` is declared dynamic but is {fact.size} in the example: export specializes it to {fact.size}"
            )
            yield Violation(fact.site, context.sized("size_one"), message, fixable=True)
            return
        if isinstance(fact, SizeDemanded):
            demand = fact.demand
            if demand.kind == "most" and demand.leaves_one:
                asked = demand.strict and context.dimensions == "named"
                yield Violation(
                    fact.site,
                    context.sized("size_one_range_needed" if asked else "size_one_range"),
                    f"{quote(fact.site)} computes a size of 1 from the example: export narrows the dimension to `{demand.text}`",
                    evidence=fact.value.evidence,
                    fixable=True,
                    demand=demand,
                )
                return
            # Where nobody said that the dimension is dynamic, eager takes no other size of it either, as a rule.
            if demand.kind in ("number", "frozen") and (demand.narrows or context.dimensions != "assumed"):
                case = "fixed_reshape" if fact.operation in ("view", "reshape") else "fixed_constant"
                sizes = f"`{demand.text}`" if demand.kind == "number" else f"one size of `{demand.text}`"
                problem = f"works for {sizes} only, but the dimension is declared dynamic"
                if demand.narrows:
                    problem = f"takes a dynamic dimension for a fixed size: it exports for {sizes} only"
                if demand.leaves_one:
                    case = "size_one_computed"
                    problem = f"computes a size of 1 from the example: export specializes it, and so `{demand.text}`"
                yield Violation(
                    fact.site,
                    context.sized(case),
                    f"{quote(fact.site)} {problem}",
                    evidence=min(
                        fact.value.evidence, Evidence.OBSERVED if demand.kind == "number" else Evidence.DERIVED
                    ),
                    fixable=True,
                    demand=demand,
                )
            return
        if isinstance(fact, SizeNarrowed):
            case, text = _narrowed(fact)
            yield Violation(fact.site, context.sized(case), f"{quote(fact.site)} {text}", evidence=fact.value.evidence)
            return
        if isinstance(fact, SizeDetermined):
            others = " and ".join(f"`{other}`" for other in fact.others)
            yield Violation(
                fact.site,
                context.sized("equal_to_specialized"),
                f"{quote(fact.site)} requires `{fact.text}`: what specializes {others} specializes `{fact.dimension}`",
                evidence=fact.evidence,
                origin=fact.cause,
                origin_note=f"{others} is specialized here",
                fixable=True,
                demand=frozen(Term.dimension(fact.dimension)),
            )
            return
        assert isinstance(fact, Indexed)
        container = fact.container
        if (
            type(container) is not Tensor
            or not (container.fixed or type(fact.size) is Static)
            or type(fact.index) is not Sym
            or not fact.index.backed
            or _is_bounded(fact)
        ):
            return
        yield Violation(
            fact.site,
            context.sized("fixed_buffer_slice"),
            f"{quote(fact.site)} slices a fixed-size tensor by a dynamic dimension: declare `Dim(..., max=<its size>)`",
            evidence=fact.index.evidence,
            fixable=True,
            demand=_fits(fact),
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.declarations import declaration_fixes
        from exportdb_rules.rewrite.interface.dims import named_to_dynamic
        from exportdb_rules.rewrite.interface.larger_example import larger_example

        if context.finding.case.startswith("size_one"):
            return larger_example(context)
        found = declaration_fixes(context)
        return found if context.finding.case.startswith(_FIXED) else (*found, *named_to_dynamic(context))
