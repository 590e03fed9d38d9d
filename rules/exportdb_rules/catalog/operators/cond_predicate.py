"""# cond-predicate

## What it does
Finds predicates of `torch.cond` that have more than one element, and predicates of `while_loop` that have a dimension.

## Why export cannot do it
The predicate selects one function for the whole call. A comparison of tensors gives an element for each pair, and
nothing says whether one of them must hold or all. The predicate of `while_loop` must have no dimension at all.

## Example
```python
def forward(self, x):          # x has 3 rows
    return torch.cond(x.sum(1) > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))
```

## Use instead
```python
def forward(self, x):          # x has 3 rows
    return torch.cond((x.sum(1) > 0).all(), lambda x: x.sin(), lambda x: x.cos(), (x,))
```

If each element is meant to decide for itself, compute both results and select with `torch.where`.

## Fix safety
No fix is offered: only you know whether `.any()`, `.all()` or `torch.where` is meant.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB606` prints them.

## References
- ExportDB: `cond_predicate`
- torch docs, "Control Flow - Cond" and "Control Flow - While Loop"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Branched
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.terms import LEAST
from exportdb_rules.values import Evidence, Static, Sym, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.values import Value


class CondPredicate(Rule):
    """The predicate of `torch.cond` or `while_loop` is not a single value."""

    code = "EDB606"
    name = "cond-predicate"
    family = "operators"
    summary = "The predicate of `torch.cond` or `while_loop` is not a single value"
    no_fix = NoFix.NEEDS_AUTHOR  # `.any()`, `.all()` or `torch.where`
    facts = (Branched,)
    cases = ("cond_predicate_vector", "while_loop_predicate_vector")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Branched)
        predicate = fact.predicate
        if type(predicate) is not Tensor:
            return
        if fact.operator == "while_loop" and predicate.rank:
            text = f"The predicate of `while_loop` has {predicate.rank} dimension{'s' * (predicate.rank > 1)}: reduce it with `.any()` or `.all()`"
            yield Violation(
                fact.site, "while_loop_predicate_vector", text, evidence=max(Evidence.DERIVED, predicate.evidence)
            )
        elif fact.operator == "cond" and any(_is_several(dim) for dim in predicate.dims or ()):
            text = "The predicate of `torch.cond` has more than one element: reduce it with `.any()` or `.all()`"
            yield Violation(
                fact.site, "cond_predicate_vector", text, evidence=max(Evidence.DERIVED, predicate.evidence)
            )


def _is_several(size: Value) -> bool:
    """Whether a size is known to be above 1."""
    if type(size) is Static:
        return size.number is not None and size.number > 1
    return type(size) is Sym and size.backed and size.low is not None and size.low >= LEAST
