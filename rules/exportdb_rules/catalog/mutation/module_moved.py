"""# module-moved

## What it does
Finds `self.layer.to(…)`, `cpu()`, `cuda()`, `half()` and similar calls in traced code: a module with parameters that is
moved or converted while tracing, even if the call would change nothing.

## Why export cannot do it
`Module.to` replaces the parameters, and while tracing the replacements are fake tensors that cannot be swapped in:
non-strict export stops with "Couldn't swap Linear.weight".

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
`self.layer.to(x.dtype)` as a statement of its own runs in eager only and is replaced by an assertion under export:
safe, and export stops if the module was not moved before. There is no fix for the other calls: what should be moved
instead is a design decision.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB407` prints them.

## References
- torch docs, `torch.nn.Module.to`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.catalog.mutation.parameters import evidence_of_parameters
from exportdb_rules.facts import Called
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
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
    """A module is moved or converted while tracing."""

    code = "EDB407"
    name = "module-moved"
    family = "mutation"
    summary = "A module is moved or converted while tracing"
    no_fix = NoFix.NEEDS_AUTHOR  # what should be moved instead
    facts = (Called,)
    cases = ("module_to",)
    calls = MOVING

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Called)
        evidence = evidence_of_parameters(fact, context.project)
        if evidence is not None:
            yield Violation(
                fact.site,
                "module_to",
                f"{quote(fact.site)} replaces the parameters of a module while tracing: move the module before exporting",
                evidence=evidence,
                fixable=True,
            )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.moved import move_in_eager

        return move_in_eager(context)
