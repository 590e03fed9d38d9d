"""# module-in-forward

## What it does
Finds modules with parameters and `nn.Parameter(…)` created in traced code, and buffers registered there.

## Why export cannot do it
Strict export rejects modules and parameters. Non-strict export bakes in the parameter values of the traced call. A buffer that
tracing registers of the model itself takes the place of an input in the program of non-strict export (one of a submodule does
not), and holds a fake tensor afterwards: export the model after a call that registered it, or register it in the constructor.

## Example
```python
def forward(self, x):
    return nn.Linear(4, 4)(x)
```

## Use instead
```python
def __init__(self):
    super().__init__()
    self.linear = nn.Linear(4, 4)

def forward(self, x):
    return self.linear(x)
```

## Fix safety
A buffer that is registered to be found by later calls is registered in eager only, where the call that is traced does not
need it: safe. What the function reads of it after that line is the tensor that is registered there. Modules and parameters
have no fix.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB405` prints them.

## References
- torch.export programming model, "Modules"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.parameters import WITHOUT_PARAMETERS, has_parameters
from exportdb_rules.facts import Built
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class ModuleInForward(Rule):
    """A module, parameter or buffer is created in `forward`."""

    code = "EDB405"
    name = "module-in-forward"
    family = "mutation"
    summary = "A module, parameter or buffer is created in `forward`"
    no_fix = NoFix.CREATED_IN_FORWARD
    facts = (Built,)
    cases = ("module_in_forward", "parameter_in_forward", "buffer_in_forward")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Built)
        if fact.name == "torch.nn.Module.register_buffer":
            # A submodule's takes nothing's place: what is exported then computes the same.
            cls = None if fact.module is None else fact.module.cls
            if cls is None or cls.name != context.entry.partition(".")[0]:
                return
            yield Violation(
                fact.site,
                "buffer_in_forward",
                f"{quote(fact.site)} registers a buffer in `forward`: non-strict export gives it the place of an input",
                fixable=True,
                outermost=True,
            )
            return
        evidence = Evidence.OBSERVED
        of_torch = fact.module is None or fact.module.cls is None
        if of_torch and fact.name.rpartition(".")[2] in WITHOUT_PARAMETERS:
            return
        if fact.module is not None:
            known = has_parameters(fact.module)
            if known is False:
                return
            if known is None:
                evidence = Evidence.ASSUMED
        yield Violation(
            fact.site,
            "parameter_in_forward" if fact.name.endswith(("Parameter", "Buffer")) else "module_in_forward",
            f"{quote(fact.site)} creates parameters in `forward`; export bakes in the values seen while tracing",
            evidence=evidence,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.left_out import cache_in_eager

        return cache_in_eager(context)
