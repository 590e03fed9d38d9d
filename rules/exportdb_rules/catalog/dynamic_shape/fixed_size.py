"""# fixed-size

## What it does
Finds operators that work for one size of a dynamic dimension only: a tensor, a parameter or a layer of a fixed size that
meets it, a reshape with the size written in. Slices of parameters, buffers and constants that are cut to a dynamic size:
position tables, attention biases, convolution kernels. Example inputs with a size of one in a dimension that
`dynamic_shapes` declares to be dynamic.

## Why export cannot do it
The slice holds only as long as the dynamic size is not larger than the table. A named `Dim` promises more than that,
unless it has a `max`. To a size of one in the example export gives no symbol: the dimension is the constant 1.

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
Unsafe: eager stays as it is, and the exported program takes the sizes that fit into the table. An example of two where
it was one leaves the model as it is, and has to be one that the model takes.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB305` prints them.

## References
- torch.export programming model, "Dynamic shapes"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import ExampleOfOne, Indexed, SizeDemanded
from exportdb_rules.rewrite.interface.dims import named_to_dynamic
from exportdb_rules.rewrite.interface.example_of_two import example_of_two
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class FixedSize(Rule):
    """A tensor of one size meets a dynamic dimension."""

    code = "EDB305"
    name = "fixed-size"
    family = "dynamic_shape"
    summary = "a tensor of one size meets a dynamic dimension"
    facts = (Indexed, ExampleOfOne, SizeDemanded)
    cases = (
        "fixed_constant",
        "fixed_reshape",
        "fixed_reshape_named",
        "fixed_buffer_slice",
        "fixed_buffer_slice_named",
        "size_one",
        "size_one_named",
        "size_one_dynamic",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        if isinstance(fact, ExampleOfOne):
            size = f"{fact.parameter}.shape[{fact.index}]"
            message = (
                f"`{size}` is 1 in the example: export takes it for a constant, though it is declared to be dynamic"
            )
            yield Report(fact.site, context.sized("size_one"), message, fixable=True)
            return
        if isinstance(fact, SizeDemanded):
            demand = fact.demand
            if demand.kind == "number":
                named = demand.dimension.isidentifier()
                case = "fixed_reshape" if named or fact.operation in ("view", "reshape") else "fixed_constant"
                yield Report(
                    fact.site,
                    context.sized(case),
                    f"{quote(fact.site)} works for `{demand.text}` only: the dimension is declared to be dynamic",
                    sure=fact.value.sure,
                )
            return
        assert isinstance(fact, Indexed)
        container = fact.container
        if (
            type(container) is not Tensor
            or not container.fixed
            or type(fact.index) is not Sym
            or not fact.index.backed
            or fact.index.high is not None
        ):
            return
        yield Report(
            fact.site,
            context.sized("fixed_buffer_slice"),
            f"{quote(fact.site)} cuts a tensor of one size to a dynamic size: a named dimension must fit into it over its whole range",
            sure=fact.index.sure,
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        if context.finding.case.startswith("size_one"):
            return example_of_two(context)
        return named_to_dynamic(context)
