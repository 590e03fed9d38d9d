"""# container-mutation

## What it does
Finds lists, dicts and sets held by the module, or by its class, that `forward` changes and that other code of the module
reads. What a method empties before it fills it, or stores under a key before it reads that, stays silent.

## Why export cannot do it
The change happens while tracing, once, and leaves no trace in the graph.

## Example
```python
def forward(self, x):
    self.seen.append(x)
    return torch.stack(self.seen).sum(0)
```

## Use instead
```python
def forward(self, x, seen):
    seen = torch.cat([seen, x[None]])
    return seen.sum(0), seen
```

## Fix safety
Items of a dict or list that the constructor writes out, and that are read and written by their literal keys, become
buffers of their own: unsafe, the dict has them no more. A list that grows has no place in a graph, and gets no fix.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB402` prints them.

## References
- ExportDB: `list_contains`, `model_attr_mutation`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.caches import filled_anew, set_up_once
from exportdb_rules.catalog.mutation.reads import read_elsewhere
from exportdb_rules.facts import ContainerWritten
from exportdb_rules.joins import Sequence
from exportdb_rules.rewrite.buffers.held_state import items_to_buffers
from exportdb_rules.rule import Context, Report, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class ContainerMutation(Rule):
    """A list or dict on the module is changed."""

    code = "EDB402"
    name = "container-mutation"
    family = "mutation"
    summary = "a list or dict on the module is changed"
    facts = (ContainerWritten,)
    cases = ("list_append", "dict_assign")

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, ContainerWritten)
        if not read_elsewhere(fact.site.module, fact.owner) or filled_anew(fact.site, fact.owner):
            return
        if fact.form == "item" and set_up_once(fact.site, fact.value):
            return
        yield Report(
            fact.site,
            "list_append" if type(fact.container) is Sequence else "dict_assign",
            f"`{fact.owner}` outlives the call, but the change is lost in the exported program",
            sure=1,
            fixable=fact.form == "item",
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return items_to_buffers(context)
