"""# shape-loop

## What it does
Finds `for i in range(n)`, `for row in x` and comprehensions over a dynamic dimension.
Finds `unbind` and `split(1)` along one, which return a tensor for each index, and `a, b = x`.

## Why export cannot do it
A Python loop is unrolled while tracing: its number of iterations is specialized to the example's.

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
Unsafe. A loop whose results are stacked becomes `torch.vmap`, at no cost in eager, if an iteration uses no parameter
and no module; otherwise `map`, or `scan` if a value is carried from row to row: these cost tens to hundreds of
milliseconds per call in eager, and their gradients equal those of the loop. Any other loop becomes a `while_loop`,
which is meant for inference: it costs milliseconds and may lose gradients. A fix is offered only if the carried values
keep their shapes.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB303` prints them.

## References
- torch.export programming model, "Control flow"
- `torch._higher_order_ops.map`, `scan`, `torch.vmap`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Iterated
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.terms import frozen
from exportdb_rules.values import Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.terms import Term


class ShapeLoop(Rule):
    """Loop over a dynamic dimension."""

    code = "EDB303"
    name = "shape-loop"
    family = "dynamic_shape"
    summary = "Loop over a dynamic dimension"
    facts = (Iterated,)
    cases = (
        "shape_loop",
        "shape_loop_named",
        "unbind_named",
        "split_count",
        "split_count_dynamic",
        "tensor_iteration",
        "tensor_iteration_named",
        "shape_loop_unbacked",
        "tensor_iteration_unbacked",
        "unbind_unbacked",
        "shape_loop_dynamic",
        "tensor_iteration_dynamic",
        "shape_loop_half_dynamic",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Iterated)
        value = fact.value
        if type(value) is Sym and not value.backed:
            return
        if type(value) is Tensor and (value.unbacked or fact.form != "tensor"):
            return
        if fact.form in ("pieces", "numbers"):
            what = "tensors" if fact.form == "pieces" else "numbers"
            text = f"{quote(fact.site)} returns as many {what} as the size of a dynamic dimension, which is specialized to the example's size"
            yield Violation(
                fact.site,
                context.sized("shape_loop", _rounds(value)),
                text,
                evidence=value.evidence,
                fixable=True,
                demand=frozen(_rounds(value)),
            )
            return
        if fact.form == "parts":
            text = f"{quote(fact.site)} returns a number of tensors that depends on a dynamic dimension: it is specialized to the example's"
            yield Violation(fact.site, context.sized("split_count", _rounds(value)), text, evidence=value.evidence)
            return
        text = f"Loop over {quote(fact.site)} is unrolled while tracing: its dynamic dimension is specialized to the example's size"
        case = "tensor_iteration" if type(value) is Tensor or fact.form == "unpacking" else "shape_loop"
        if fact.form == "unpacking":
            text = f"A tensor is unpacked into {quote(fact.site)}, whose number specializes its dynamic dimension"
        yield Violation(
            fact.site,
            context.sized(case, _rounds(value)),
            text,
            evidence=value.evidence,
            fixable=True,
            demand=frozen(_rounds(value)),
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.declarations import declaration_fixes
        from exportdb_rules.rewrite.looping.loops import loop_to_while_loop
        from exportdb_rules.rewrite.looping.row_loops import rows_collected

        return (*(rows_collected(context) or loop_to_while_loop(context)), *declaration_fixes(context))


def _rounds(value: Tensor | Sym) -> Term | None:
    """The number of rounds."""
    size = value if type(value) is Sym else value.dims[0] if type(value) is Tensor and value.dims else None
    return size.term if type(size) is Sym else None
