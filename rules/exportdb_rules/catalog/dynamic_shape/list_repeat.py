"""# list-repeat

## What it does
Finds `[x] * n` where `n` is a dynamic size.

## Why export cannot do it
A Python list has a concrete length, so multiplying it specializes the size.

## Example
```python
def forward(self, x):
    return torch.cat([self.token] * x.shape[0])
```

## Use instead
```python
def forward(self, x):
    return self.token.expand(x.shape[0], -1)
```

## Fix safety
Unsafe: `t.expand(n, *t.shape).clone()` has the values of the stacked list in memory of its own; flattened, those of the
concatenated list. For an empty list it has no rows, where `torch.stack` and `torch.cat` raise.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB307` prints them.

## References
- torch.export programming model, "Values: static vs. dynamic"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Converted
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.terms import frozen
from exportdb_rules.values import Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class ListRepeat(Rule):
    """A list is repeated by a dynamic size."""

    code = "EDB307"
    name = "list-repeat"
    family = "dynamic_shape"
    summary = "A list is repeated by a dynamic size"
    facts = (Converted,)
    cases = (
        "list_repeat",
        "list_repeat_named",
        "list_repeat_unbacked",
        "list_repeat_dynamic",
        "list_repeat_half_dynamic",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Converted)
        value = fact.value
        if fact.target != "repeat" or type(value) is not Sym or not value.backed:
            return
        yield Violation(
            fact.site,
            context.sized("list_repeat", value.term),
            f"{quote(fact.site)} creates a list of a dynamic length: the length is specialized to the example's",
            evidence=value.evidence,
            fixable=True,
            demand=frozen(value.term),
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.declarations import declaration_fixes
        from exportdb_rules.rewrite.numbers.sizes import repeat_to_expand

        return (*repeat_to_expand(context), *declaration_fixes(context))
