"""# trace-time-constant

## What it does
Finds values that differ on every call (`id(x)`, `hash(t)`, `str(t)`, the clock, the process id) and flow into a tensor.
Values that reach no tensor are not reported.

## Why export cannot do it
Tracing calls the function once. Its result becomes a constant of the graph, which every later call reuses.

## Example
```python
def forward(self, x):
    return x + id(x) % 1000
```

## Use instead
```python
def forward(self, x, key):
    return x + key
```

## Fix safety
No fix: only the author knows where the value should come from.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB202` prints them.

## References
- ExportDB: `specialized_attribute`
- torch.export programming model, "Values: static vs. dynamic"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import TraceTimeUsed
from exportdb_rules.rule import Context, Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


# What was called -> the measured case; of anything else, that of a clock.
_CASES = {"id": "id_used", "hash": "hash_used", "str": "str_of_tensor"}


class TraceTimeConstant(Rule):
    """A value that differs from call to call becomes a constant of the graph."""

    code = "EDB202"
    name = "trace-time-constant"
    family = "dynamic_value"
    summary = "A value that differs from call to call becomes a constant of the graph"
    facts = (TraceTimeUsed,)
    cases = ("id_used", "time_used", "hash_used", "str_of_tensor")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, TraceTimeUsed)
        source = fact.value.source
        if fact.form != "tensor" or source.startswith(("random.", "numpy.random.")):
            return
        yield Violation(
            fact.site,
            _CASES.get(source, "time_used"),
            f"`{source}()` is evaluated once while tracing and flows into a tensor: the exported program reuses that one value",
            origin=fact.value.site,
        )
