"""# tensor-from-tensors

## What it does
Finds `torch.tensor([t1, t2])` and `torch.as_tensor([t, 1.0])` with a list that contains tensors.

## Why export cannot do it
The constructor converts every element to a Python number, which needs its value.

## Example
```python
def forward(self, a, b):
    return torch.tensor([a.sum(), b.sum()])
```

## Use instead
```python
def forward(self, a, b):
    return torch.stack([a.sum(), b.sum()])
```

## Fix safety
Unsafe: `torch.stack` keeps dtype and gradients, while `torch.tensor` creates a new leaf.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB205` prints them.

## References
- torch docs: `torch.tensor` copies data
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Converted
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class TensorFromTensors(Rule):
    """`torch.tensor` is called on tensors."""

    code = "EDB205"
    name = "tensor-from-tensors"
    family = "dynamic_value"
    summary = "`torch.tensor` is called on tensors"
    facts = (Converted,)
    cases = ("tensor_from_tensors",)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Converted)
        if fact.target != "tensor" or type(fact.value) is not Tensor:
            return
        yield Violation(
            fact.site,
            "tensor_from_tensors",
            f"{quote(fact.site)} reads tensor values, which are unknown while tracing: use `torch.stack`",
            evidence=max(Evidence.DERIVED, fact.value.evidence),
            fixable=True,
            parameter=fact.value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.numbers.conversion import tensor_to_stack

        return tensor_to_stack(context)
