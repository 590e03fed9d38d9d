"""# size-as-key

## What it does
Finds sizes and numbers from data used as keys of a dict, members of a set, or in `hash()`.

## Why export cannot do it
A SymInt is not hashable: TypeError while tracing.

## Example
```python
def forward(self, x):          # x's first dimension is dynamic
    return x * self.table[x.shape[0]]
```

## Use instead
```python
def forward(self, x):
    return x * self.factors[x.shape[0] - 1]
```

## Fix safety
A dict that is written out, from integers to numbers of one kind, becomes two tensors: the keys to compare with, and the
numbers to pick from. Unsafe: a missing key is a RuntimeError, and the number a tensor without dimensions. Any other dict,
and a number that goes into no arithmetic with a tensor, get no fix.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB306` prints them.

## References
- torch issue: SymInt is unhashable by design
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Converted
from exportdb_rules.rewrite.numbers.keys import key_to_tensor
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class SizeAsKey(Rule):
    """A size is hashed."""

    code = "EDB306"
    name = "size-as-key"
    family = "dynamic_shape"
    summary = "a size is hashed"
    facts = (Converted,)
    cases = ("size_as_key", "size_as_key_auto", "dict_key_item")

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, Converted)
        value = fact.value
        if fact.target != "key" or type(value) is not Sym:
            return
        yield Report(
            fact.site,
            context.sized("size_as_key") if value.backed else "dict_key_item",
            f"{quote(fact.site)} is symbolic and has no hash: it cannot be a key",
            sure=value.sure,
            origin=value.site,
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return key_to_tensor(context)
