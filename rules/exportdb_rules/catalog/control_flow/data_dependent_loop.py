"""# data-dependent-loop

## What it does
Finds loops with a data-dependent number of iterations: `range(t.item())`, or a loop over the rows of `t.nonzero()` or
`x[mask]`.

## Why export cannot do it
A Python loop is unrolled while tracing, so its number of iterations must be known then.

## Example
```python
def forward(self, x, steps):
    for _ in range(steps.item()):
        x = x * 2
    return x
```

## Use instead
```python
from torch._higher_order_ops import while_loop

def forward(self, x, steps):
    _, _, x = while_loop(lambda i, n, x: i < n, lambda i, n, x: (i + 1, n.clone(), x * 2), (torch.zeros_like(steps), steps, x))
    return x
```

## Fix safety
Unsafe: `while_loop` is slower in eager and meant for inference; its gradients equal those of the Python loop only if a
carried tensor requires a gradient before the first iteration. A loop over the non-empty rows of a mask (`for i in (mask.sum(…) > 0).nonzero()`) iterates over all rows instead, if an
iteration does nothing but write to what `torch.where` finds in its row: layers are then called on empty inputs too.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB106` prints them.

## References
- torch.export programming model, "Control flow"
- `torch._higher_order_ops.while_loop`, `map`, `scan`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Iterated
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class DataDependentLoop(Rule):
    """Loop with a data-dependent number of iterations."""

    code = "EDB106"
    name = "data-dependent-loop"
    family = "control_flow"
    summary = "Loop with a data-dependent number of iterations"
    facts = (Iterated,)
    cases = ("item_range", "nonzero_for")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Iterated)
        value = fact.value
        if type(value) is Sym and value.backed:
            return
        if type(value) is Tensor and fact.form == "tensor" and not value.unbacked:
            return
        text = f"Data-dependent loop over {quote(fact.site)}: the number of iterations is unknown while tracing"
        if fact.form == "unpacking":
            text = f"A tensor is unpacked into {quote(fact.site)}: its number of rows depends on data, and is unknown while tracing"
        yield Violation(
            fact.site,
            "item_range" if fact.form == "range" else "nonzero_for",
            text,
            evidence=value.evidence,
            origin=value.site,
            parameter=value.param if type(value) is Tensor else None,
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.looping.expert_loops import every_row
        from exportdb_rules.rewrite.looping.loops import loop_to_while_loop

        return every_row(context) or loop_to_while_loop(context)
