"""# trace-time-constant

## What it does
Finds values that differ on every call (`id(x)`, `hash(t)`, `str(t)`, the clock, the process id) and flow into a tensor.
Values that reach no tensor are not reported. And conditions on the exact class of a tensor (`type(x) is torch.Tensor`).

## Why export cannot do it
Tracing calls the function once. Its result becomes a constant of the graph, which every later call reuses. Non-strict
export traces with tensors of a class of its own, `FakeTensor`, a subclass of `torch.Tensor`.

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
Where a value should come from, only the author knows. `type(x) is C` becomes `isinstance(x, C)`, which is true of
subclasses too: unsafe.

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
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


# What was called -> the measured case; of anything else, that of a clock.
_CASES = {"id": "id_used", "hash": "hash_used", "str": "str_of_tensor"}


class TraceTimeConstant(Rule):
    """A value that differs from call to call becomes a constant of the graph."""

    code = "EDB202"
    name = "trace-time-constant"
    family = "dynamic_value"
    summary = "A value that differs from call to call becomes a constant of the graph"
    facts = (TraceTimeUsed,)
    cases = ("id_used", "time_used", "hash_used", "str_of_tensor", "tensor_class", "tensor_class_guard")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, TraceTimeUsed)
        source = fact.value.source
        if source == "type" and fact.form != "tensor":
            yield _class_of_tensor(fact)
            return
        if fact.form != "tensor" or fact.value.drawn:
            return
        yield Violation(
            fact.site,
            _CASES.get(source, "time_used"),
            f"`{source}()` is evaluated once while tracing and flows into a tensor: the exported program reuses that one value",
            origin=fact.value.site,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.numbers.conversion import class_to_isinstance

        return class_to_isinstance(context) if context.finding.case.startswith("tensor_class") else ()


def _class_of_tensor(fact: TraceTimeUsed) -> Violation:
    """The class of a tensor decides: strict export knows the one that it has in eager."""
    guard = fact.form == "guard"
    what = "raises" if guard else "takes the other side of the branch"
    message = f"`type(tensor)` is `FakeTensor` while non-strict export traces, which {what}; `isinstance` has the same answer there"
    return Violation(
        fact.site,
        "tensor_class_guard" if guard else "tensor_class",
        message,
        evidence=fact.value.evidence,
        origin=fact.value.site,
        origin_note="the class is read here",
        fixable=True,
    )
