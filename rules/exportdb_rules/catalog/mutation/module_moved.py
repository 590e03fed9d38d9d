"""# module-moved

## What it does
Finds `self.layer.to(…)` in traced code: a module with parameters that is converted or moved while tracing.

## Why export cannot do it
`Module.to` puts new tensors in the place of the parameters, and while tracing these are fakes that the graph's own
parameters cannot be swapped for: non-strict export stops with "Couldn't swap Linear.weight".

## Example
```python
def __init__(self):
    super().__init__()
    self.layer = torch.nn.Linear(2, 2)

def forward(self, x):
    self.layer.to(x.dtype)
    return self.layer(x)
```

## Use instead
```python
def __init__(self):
    super().__init__()
    self.layer = torch.nn.Linear(2, 2)

def forward(self, x):
    return self.layer(x.to(self.layer.weight.dtype))
```

## Fix safety
No fix is offered: what is to be moved instead, the module before the export or the input, is a decision.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB407` prints them.

## References
- torch docs, `torch.nn.Module.to`
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.module_in_forward import WITHOUT_PARAMETERS
from exportdb_rules.facts import Called
from exportdb_rules.project import dotted
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import Instance
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class ModuleMoved(Rule):
    """A module is converted or moved while tracing."""

    code = "EDB407"
    name = "module-moved"
    family = "mutation"
    summary = "a module is converted or moved while tracing"
    facts = (Called,)
    cases = ("module_to",)

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, Called)
        if fact.name != "torch.nn.Module.to" or not fact.arguments:
            return
        module, node = fact.arguments[0], fact.site.node
        if type(module) is not Instance or not isinstance(node, ast.Call):
            return
        # A module that was made in forward is another matter; one of the model hangs on `self`.
        if not dotted(node.func).startswith("self."):
            return
        own = module.external.startswith("torch.nn.") and module.cls is None
        if own and module.external.rpartition(".")[2] in WITHOUT_PARAMETERS:
            return
        yield Report(
            fact.site,
            "module_to",
            f"{quote(fact.site)} replaces the parameters of a module while tracing: move it before the export",
            sure=2 if own and not fact.optional else 1,
        )
