"""# unregistered-module

## What it does
Finds calls of modules with parameters that the exported model keeps in a Python list, tuple or dict, or on a plain
object, and reads of such containers of parameters, and of parameters that are registered as buffers.

## Why export cannot do it
`nn.Module` registers the modules that are assigned to its attributes, not those inside a Python container. `parameters()`,
`state_dict()` and `to()` do not see the others, and strict export looks up each parameter of the graph among the
registered ones: it stops with a `KeyError` that names no line. A parameter among the buffers is not found either.
Non-strict export keeps them as constants.

## Example
```python
def __init__(self):
    super().__init__()
    self.layers = [torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)]

def forward(self, x):
    for layer in self.layers:
        x = layer(x)
    return x
```

## Use instead
```python
def __init__(self):
    super().__init__()
    self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])

def forward(self, x):
    for layer in self.layers:
        x = layer(x)
    return x
```

## Fix safety
Unsafe: what was not registered appears in `parameters()` and `state_dict()`, and follows `to()`, `train()` and `eval()`. No fix
is offered where a use of the container behaves differently on a module, where a key is not a valid submodule name, and where
a plain object or a global variable holds the module. For a parameter among the buffers there is none: whether it is to be
trained is not in the code.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB408` prints them.

## References
- torch docs, `torch.nn.ModuleList`, `torch.nn.ParameterList`
- https://github.com/pytorch/pytorch/issues/150428
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.parameters import has_parameters
from exportdb_rules.facts import Unregistered
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class UnregisteredModule(Rule):
    """A module or parameter is used that is not registered."""

    code = "EDB408"
    name = "unregistered-module"
    family = "mutation"
    summary = "A module or parameter is used that is not registered"
    facts = (Unregistered,)
    cases = ("unregistered_module", "unregistered_parameter", "parameter_as_buffer")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Unregistered)
        if fact.as_buffer:
            yield Violation(
                fact.site,
                "parameter_as_buffer",
                f"{quote(fact.site)} is a parameter that is registered as a buffer: strict export does not find it. Register "
                "`.detach()` of it, or assign it to an attribute",
            )
        elif fact.module is None:
            yield Violation(
                fact.site,
                "unregistered_parameter",
                f"{quote(fact.site)} holds parameters that are not registered: keep them in an nn.ParameterList or nn.ParameterDict",
                fixable=True,
            )
        elif has_parameters(fact.module):
            remedy = (
                f"make `{fact.name}` a module, an nn.ModuleList or an nn.ModuleDict"
                if fact.name.startswith("self.")
                else f"assign `{fact.name}` to an attribute of the model"
            )
            yield Violation(
                fact.site,
                "unregistered_module",
                f"{quote(fact.site)} uses parameters of a module that is not registered: {remedy}",
                evidence=Evidence.DERIVED if fact.optional else Evidence.OBSERVED,
                fixable=True,
            )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.buffers.module_containers import container_to_module

        return container_to_module(context)
