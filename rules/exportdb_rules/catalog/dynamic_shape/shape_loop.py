"""# shape-loop

## What it does
Finds `for i in range(n)`, `for row in x` and comprehensions over a dimension that is dynamic.

## Why export cannot do it
Python's loop is unrolled while tracing: the number of rounds is the example's.

## Example
```python
def forward(self, x):
    return torch.stack([row.sum() for row in x])
```

## Use instead
```python
def forward(self, x):
    return torch.vmap(lambda row: row.sum())(x)
```

## Fix safety
Unsafe. Results that are stacked become `torch.vmap` where a round reads no parameter and no module, which costs eager
nothing; `map` where it does, and `scan` where something is carried from row to row: these cost tens and hundreds of
milliseconds a call in eager, their gradients are those of the loop. Another loop becomes a `while_loop`, which is for
inference: it costs milliseconds, and may lose gradients. All are offered only where what is carried keeps its shape.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB303` prints them.

## References
- torch.export programming model, "Control flow"
- `torch._higher_order_ops.map`, `scan`, `torch.vmap`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Iterated
from exportdb_rules.rewrite.looping.loops import loop_to_while_loop
from exportdb_rules.rewrite.looping.row_loops import rows_collected
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class ShapeLoop(Rule):
    """A loop goes round once for each element of a dynamic dimension."""

    code = "EDB303"
    name = "shape-loop"
    family = "dynamic_shape"
    summary = "a loop goes round once for each element of a dynamic dimension"
    facts = (Iterated,)
    cases = ("shape_loop", "shape_loop_named", "tensor_iteration")

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, Iterated)
        value = fact.value
        if type(value) is Sym and not value.backed:
            return
        if type(value) is Tensor and (value.unbacked or fact.form != "tensor"):
            return
        yield Report(
            fact.site,
            context.sized("tensor_iteration" if type(value) is Tensor else "shape_loop"),
            f"the loop over {quote(fact.site)} is unrolled while tracing: the exported program accepts this one size only",
            sure=value.sure,
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return rows_collected(context) or loop_to_while_loop(context)
