"""# data-attribute

## What it does
Finds reads of and writes to the `.data` of a tensor.

## Why export cannot do it
`.data` makes a tensor behind autograd's back. Non-strict export refuses the read; strict export lets it pass and
makes a program that breaks, or computes something else, when it runs.

## Example
```python
def forward(self, x):
    return x.data + 1
```

## Use instead
```python
def forward(self, x):
    return x.detach() + 1
```

## Fix safety
A read becomes `.detach()`, which gives the same values: safe, but that an in-place write through it is now seen by
autograd.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB201` prints them.

## References
- torch.export tutorial, "Data-dependent errors"
- torch docs: `Tensor.detach`
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.facts import AttributeRead
from exportdb_rules.rewrite.numbers.conversion import data_write_to_no_grad
from exportdb_rules.rewrite.numbers.detach import data_to_detach
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import PARAMETER
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class DataAttribute(Rule):
    """`.data` leaves autograd's and export's sight."""

    code = "EDB201"
    name = "data-attribute"
    family = "dynamic_value"
    summary = "`.data` leaves autograd's and export's sight"
    facts = (AttributeRead,)
    cases = ("data_read", "data_read_parameter", "data_assign")

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, AttributeRead)
        if fact.name != "data":
            return
        value = fact.value
        written = isinstance(getattr(fact.site.node, "ctx", None), ast.Store)
        case = "data_assign" if written else ("data_read_parameter" if value.origin == PARAMETER else "data_read")
        yield Report(
            fact.site,
            case,
            f"{quote(fact.site)} {'replaces the storage behind export' if written else 'hands out a tensor that export does not track'}",
            sure=max(1, value.sure),
            fixable=True,
            parameter=value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return (*data_write_to_no_grad(context), *data_to_detach(context))
