"""# module-moved

## What it does
Finds `self.layer.to(…)`, and `cpu()`, `cuda()`, `half()` and their like, in traced code: a module with parameters that is
converted or moved while tracing, also to where it is already.

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
`self.layer.to(x.dtype)` on a line of its own is left to eager, and checked under export: safe, and an export of a module
that was not moved before stops. For anything else no fix is offered: what is to be moved instead is a decision.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB407` prints them.

## References
- torch docs, `torch.nn.Module.to`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.catalog.mutation.parameters import sure_of_parameters
from exportdb_rules.facts import Called
from exportdb_rules.rewrite.interface.moved import move_in_eager
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

# What goes through `Module._apply`, which swaps the tensors of the parameters.
MOVING: Final = frozenset(
    f"torch.nn.Module.{name}" for name in ("to", "cpu", "cuda", "half", "float", "double", "bfloat16", "type")
)


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
        sure = sure_of_parameters(fact) if fact.name in MOVING else None
        if sure is not None:
            yield Report(
                fact.site,
                "module_to",
                f"{quote(fact.site)} replaces the parameters of a module while tracing: move it before the export",
                sure=sure,
                fixable=True,
            )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return move_in_eager(context)
