"""# reserved-name

## What it does
Finds reads of a module, parameter or buffer of the exported model that is called `code`, `graph` or `meta`, or as another
attribute of `torch.fx.GraphModule`.

## Why export cannot do it
Export succeeds, and keeps the name. `ExportedProgram.module()` makes a GraphModule and assigns the weights to attributes of it: it
stops with `attribute 'graph' already exists` or `references nonexistent attribute`. In a submodule the name may be used.

## Example
```python
def __init__(self):
    super().__init__()
    self.code = torch.nn.Linear(2, 2)

def forward(self, x):
    return self.code(x)
```

## Use instead
```python
def __init__(self):
    super().__init__()
    self.codebook = torch.nn.Linear(2, 2)

def forward(self, x):
    return self.codebook(x)
```

## Fix safety
There is no fix: another name changes the keys of `state_dict()`, and what reads the attribute from outside.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB409` prints them.

## References
- torch docs, `torch.fx.GraphModule`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import NameTaken
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class ReservedName(Rule):
    """A layer or weight of the model has the name of an attribute of GraphModule."""

    code = "EDB409"
    name = "reserved-name"
    family = "mutation"
    summary = "A module, parameter or buffer has the name of an attribute of GraphModule"
    no_fix = NoFix.NEEDS_AUTHOR  # another name changes the keys of the state dict
    facts = (NameTaken,)
    cases = ("reserved_name", "reserved_name_tensor")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, NameTaken)
        yield Violation(
            fact.site,
            "reserved_name" if fact.is_module else "reserved_name_tensor",
            f"{quote(fact.site)} has the name of an attribute of `torch.fx.GraphModule`: the exported program cannot be run; rename it",
        )
