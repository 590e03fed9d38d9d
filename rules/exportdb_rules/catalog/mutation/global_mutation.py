"""# global-mutation

## What it does
Finds assignments to `global` and `nonlocal` names while tracing.

## Why export cannot do it
The assignment happens once, while tracing.

## Example
```python
def forward(self, x):
    global calls
    calls += 1
    return x * calls
```

## Use instead
```python
def forward(self, x, calls):
    return x * calls
```

## Fix safety
No fix is offered.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB404` prints them.

## References
- torch.export programming model, "Side effects"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import GlobalWritten
from exportdb_rules.rule import Context, Report, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class GlobalMutation(Rule):
    """A name outside the function is bound anew."""

    code = "EDB404"
    name = "global-mutation"
    family = "mutation"
    summary = "a name outside the function is bound anew"
    facts = (GlobalWritten,)
    cases = ("global_counter",)

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, GlobalWritten)
        yield Report(
            fact.site,
            "global_counter",
            f"`{fact.name}` lives outside the call: the exported program neither reads nor writes it again",
            sure=1,
        )
