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

from exportdb_rules.catalog.mutation.module_in_forward import WITHOUT_PARAMETERS
from exportdb_rules.facts import Called
from exportdb_rules.rewrite.moved import move_in_eager
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import PARAMETER, UNKNOWN, Instance, Mapping, Sequence, Tensor, choices
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.values import Value

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
        if fact.name not in MOVING or not fact.arguments:
            return
        module = fact.arguments[0]
        if type(module) is not Instance:
            return
        moved = has_parameters(module)
        if moved is not False:
            yield Report(
                fact.site,
                "module_to",
                f"{quote(fact.site)} replaces the parameters of a module while tracing: move it before the export",
                sure=2 if moved and not fact.optional else 1,
                fixable=True,
            )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return move_in_eager(context)


def has_parameters(module: Instance, above: frozenset[int] = frozenset()) -> bool | None:
    """Whether a module, or one inside it, has parameters; None if that is not known.

    Args:
        above: the modules that this one was found in, by identity.
    """
    if id(module) in above:
        return False
    own = module.external.startswith("torch.nn.") and module.cls is None
    if own and module.elements is None:
        return module.external.rpartition(".")[2] not in WITHOUT_PARAMETERS
    held = list(module.attributes.values())
    if isinstance(module.elements, (Sequence, Mapping)):
        held += [module.elements]
    known = [_held(value, above | {id(module)}) for value in held]
    if True in known:
        return True
    return None if None in known or module.open or (not own and module.cls is None) else False


def _held(value: Value, above: frozenset[int]) -> bool | None:
    """Whether parameters hang on what an attribute holds."""
    known: list[bool | None] = []
    for choice in choices(value):
        if isinstance(choice, (Sequence, Mapping)):
            known += [_held(part, above) for part in _parts(choice)]
        elif type(choice) is Instance:
            known.append(has_parameters(choice, above))
        elif type(choice) is Tensor:
            known.append(choice.origin == PARAMETER)
        else:
            known.append(None if choice is UNKNOWN else False)
    return True if True in known else None if None in known else False


def _parts(container: Sequence | Mapping) -> list[Value]:
    """What a container holds."""
    items = container.items.values() if isinstance(container, Mapping) else container.items or ()
    return [*items, *([] if container.element is None else [container.element])]
