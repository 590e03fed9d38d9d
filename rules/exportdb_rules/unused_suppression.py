"""# unused-suppression

## What it does
Finds `# exportdb: ignore[…]` and `# exportdb: ignore-file` comments that silence nothing. `exportdb-lsp rule EDB001`
prints this page.

## Why export cannot do it
Export is not concerned. The line was changed, or the torch that is checked for exports it by now: a comment that stays
behind would hide the next finding on that line.

## Example
```python
def forward(self, x):
    return x.sin()  # exportdb: ignore[EDB101]
```

## Use instead
```python
def forward(self, x):
    return x.sin()
```

## Fix safety
Taking a comment away is safe. `# noqa` comments are never reported: they belong to other tools as well.

## Verdicts by version
None: nothing is exported for it.

## References
- <https://docs.astral.sh/ruff/rules/unused-noqa/>, the same idea for `# noqa`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from exportdb_rules.rule import Rule
from exportdb_rules.suppression import CODE, NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.rule import Context, Violation


class UnusedSuppression(Rule):
    """The page of what `exportdb_rules.suppression` reports: it is about comments, not about what is traced."""

    code: ClassVar[str] = CODE
    name: ClassVar[str] = NAME
    family: ClassVar[str] = "suppression"
    summary: ClassVar[str] = "a comment that suppresses nothing"
    facts: ClassVar[tuple[type[Fact], ...]] = ()
    cases: ClassVar[tuple[str, ...]] = ()

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        """Nothing: comments are no facts."""
        return ()
