"""# size-as-key

## What it does
Finds symbolic sizes and unbacked numbers used as dict keys, as set members, or in `hash()`, also within a tuple or a shape, and
as arguments of a function under `lru_cache`.

## Why export cannot do it
A SymInt is not hashable: tracing raises TypeError.

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
There is no fix: which tensor or formula stands for the dict is not in the code.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB306` prints them.

## References
- torch issue: SymInt is unhashable by design
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Converted
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class SizeAsKey(Rule):
    """A SymInt is hashed."""

    code = "EDB306"
    name = "size-as-key"
    family = "dynamic_shape"
    summary = "A SymInt is hashed"
    no_fix = NoFix.LOOKUP_BY_SIZE
    facts = (Converted,)
    cases = (
        "size_as_key",
        "size_as_key_auto",
        "dict_key_item",
        "size_as_key_unbacked",
        "sizes_in_key",
        "size_cached_call",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Converted)
        value = fact.value
        if fact.target not in ("key", "cached") or type(value) is not Sym:
            return
        if fact.target == "cached":
            yield Violation(
                fact.site,
                "size_cached_call",
                f"{quote(fact.site)} looks up a SymInt in the cache of the function, but it is unhashable in non-strict export",
                evidence=value.evidence,
                origin=value.site,
            )
            return
        yield Violation(
            fact.site,
            context.sized("size_as_key") if value.backed else "dict_key_item",
            f"{quote(fact.site)} is a SymInt, which is unhashable, so it cannot be a dict key or set member",
            evidence=value.evidence,
            origin=value.site,
        )
