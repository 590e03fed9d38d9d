"""# tensor-guarded-raise

## What it does
Finds `if t: raise …` where `t` is a tensor. A raise guarded by a shape or by configuration is decided while tracing and
is not reported. `torchvision.transforms.Normalize` raises if a standard deviation is 0, which it converts a tensor to bool for.

## Why export cannot do it
The condition depends on a tensor value, which is unknown while tracing. What the code needs is a check at run time.

## Example
```python
def forward(self, x):
    if torch.isnan(x).any():
        raise ValueError("x holds NaN")
    return x.log()
```

## Use instead
```python
def forward(self, x):
    torch._assert_async(~torch.isnan(x).any(), "x holds NaN")
    return x.log()
```

## Fix safety
Unsafe: eager raises RuntimeError instead of the original exception. A check that no runtime assertion expresses runs in
eager only: unsafe, the exported program accepts what eager rejects.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB104` prints them.

## References
- torch.export tutorial, "Data-dependent errors"
- Graph break GB0170
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.control_flow.guards import raises_only
from exportdb_rules.facts import TruthTested
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class TensorGuardedRaise(Rule):
    """A `raise` depends on a tensor value."""

    code = "EDB104"
    name = "tensor-guarded-raise"
    family = "control_flow"
    summary = "A `raise` depends on a tensor value"
    facts = (TruthTested,)
    cases = ("tensor_raise",)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, TruthTested)
        value = fact.value
        if type(value) is Tensor and fact.form == "deviation":
            yield Violation(
                fact.site,
                "tensor_raise",
                f"{quote(fact.site)} raises if a standard deviation is 0, which is unknown while tracing: "
                "`torchvision.transforms.v2.Normalize` has no such check",
                evidence=value.evidence,
            )
            return
        if type(value) is not Tensor or fact.form not in ("if", "and", "or", "not") or not raises_only(fact.statement):
            return
        yield Violation(
            fact.site,
            "tensor_raise",
            f"Data-dependent raise: the value of {quote(fact.site)} is unknown while tracing",
            evidence=value.evidence,
            origin=value.site,
            fixable=True,
            parameter=value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.checks import raise_to_assert_async
        from exportdb_rules.rewrite.interface.eager_only import check_in_eager

        return raise_to_assert_async(context) or check_in_eager(context)
