"""# data-attribute

## What it does
Finds reads of and assignments to the `.data` attribute of a tensor.

## Why export cannot do it
`.data` creates a tensor that autograd does not track. Non-strict export rejects the read; strict export accepts it and
produces a program that fails at run time or computes something else.

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
A read becomes `.detach()`, which returns the same values: safe if nothing keeps them for a backward pass. Otherwise
unsafe: autograd now detects that they were written in place.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB201` prints them.

## References
- torch.export tutorial, "Data-dependent errors"
- torch docs: `Tensor.detach`
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import AttributeRead
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import BUFFER, INPUT, PARAMETER, Evidence, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


# What is made like `x.data`, or given its form.
_OF_FORM: Final = {"data.new": "data_new", "data.as": "data_type_as"}


class DataAttribute(Rule):
    """`.data` bypasses autograd and export."""

    code = "EDB201"
    name = "data-attribute"
    family = "dynamic_value"
    summary = "`.data` bypasses autograd and export"
    facts = (AttributeRead,)
    cases = (
        "data_read",
        "data_read_parameter",
        "data_assign",
        "data_assign_input",
        "parameter_data_assign",
        "parameter_data_write",
        "data_new",
        "data_type_as",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, AttributeRead)
        if fact.name not in ("data", *_OF_FORM):
            return
        value = fact.value
        written = isinstance(getattr(fact.site.node, "ctx", None), ast.Store)
        yield Violation(
            fact.site,
            _OF_FORM.get(fact.name) or (_assigned(value) if written else _read(value)),
            f"{quote(fact.site)} {'is assigned, which export does not track' if written else 'bypasses autograd and export: use `.detach()`'}",
            evidence=max(Evidence.DERIVED, value.evidence),
            fixable=True,
            parameter=value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.numbers.detach import data_to_detach, data_write_to_no_grad

        return (*data_write_to_no_grad(context), *data_to_detach(context))


def _read(value: Tensor) -> str:
    return "data_read_parameter" if value.origin == PARAMETER else "data_read"


def _assigned(value: Tensor) -> str:
    """The case of an assignment, which strict export traces to what was there before the call."""
    if value.origin == INPUT and value.alias:
        return "data_assign_input"
    return "parameter_data_assign" if value.origin in (PARAMETER, BUFFER) else "data_assign"
