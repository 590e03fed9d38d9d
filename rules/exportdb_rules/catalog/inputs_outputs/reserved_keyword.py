"""# reserved-keyword

## What it does
Finds calls of modules inside `forward` that pass an argument by the keyword `mod`. Functions, methods and
`module.forward(…)` may have such a keyword, and the exported model itself.

## Why export cannot do it
Non-strict export calls every submodule through the wrapper of its tracer, `module_call_wrapper(mod, *args, **kwargs)`.
The keyword `mod` collides with the first parameter of the wrapper, or arrives twice at `Module.__call__`: a `TypeError`.

## Example
```python
class Block(torch.nn.Module):
    def forward(self, x, mod):
        return x * mod

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x, mod=x.sigmoid())
```

## Use instead
```python
class Block(torch.nn.Module):
    def forward(self, x, mod):
        return x * mod

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x, x.sigmoid())
```

## Fix safety
There is no fix: pass the argument by position, or rename the parameter.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB702` prints them.

## References
- torch source, `torch/fx/_symbolic_trace.py`: `module_call_wrapper`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Called
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class ReservedKeyword(Rule):
    """A module is called with the keyword `mod`."""

    code = "EDB702"
    name = "reserved-keyword"
    family = "inputs_outputs"
    summary = "A module is called with the keyword `mod`, which the tracer's wrapper takes"
    no_fix = NoFix.NEEDS_AUTHOR  # the parameter is renamed, or the argument moved
    facts = (Called,)
    cases = ("keyword_mod",)
    calls = ("torch.nn.Module.__call__",)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Called)
        yield Violation(
            fact.site,
            "keyword_mod",
            f"{quote(fact.site)} passes the keyword `mod`, which collides with the wrapper that non-strict export calls "
            "modules through: pass it by position, or rename it",
            evidence=Evidence.DERIVED if fact.optional else Evidence.OBSERVED,
        )
