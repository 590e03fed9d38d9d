"""# container-mutation

## What it does
Finds lists, dicts and sets on the module or its class that `forward` mutates and that other code of the module reads. A
container that a method clears before filling it, or a key that it stores before reading it, is not reported. Finds lists and
dicts among the inputs that `forward` changes, also inside of other inputs.

## Why export cannot do it
The mutation runs once, while tracing, and is not recorded in the graph. The inputs of a graph are tensors: the program takes them
out of the caller's lists and dicts, and puts nothing back.

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
There is no fix: register a buffer for each item. A graph cannot represent a list that grows. Of an input, change a copy
(`seen = list(seen)`), and return it.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB402` prints them.

## References
- ExportDB: `list_contains`, `model_attr_mutation`
- torch issue 147213 (inputs that are containers)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.caches import added_once, filled_anew, set_up_once
from exportdb_rules.catalog.mutation.reads import read_elsewhere
from exportdb_rules.facts import ContainerWritten
from exportdb_rules.lattice import Sequence
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class ContainerMutation(Rule):
    """A list or dict on the module is mutated across calls."""

    code = "EDB402"
    name = "container-mutation"
    family = "mutation"
    summary = "A list or dict on the module is mutated across calls"
    facts = (ContainerWritten,)
    cases = ("list_append", "dict_assign", "input_dict_update")
    no_fix = NoFix.STATE_IN_CONTAINER

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, ContainerWritten)
        if fact.owner.kind == "input":
            yield Violation(
                fact.site,
                "input_dict_update",
                f"`{fact.owner.name}` is the caller's: the exported program does not change lists and dicts among its inputs. "
                "Change a copy, and return it",
                evidence=Evidence.DERIVED,
                outermost=True,
            )
            return
        if not read_elsewhere(fact.site.module, fact.owner.name) or filled_anew(fact.site, fact.owner.name):
            return
        if fact.form == "item" and set_up_once(fact.site, fact.value):
            return
        if fact.form in ("item", "append", "add") and added_once(fact.site, fact.value):
            return
        yield Violation(
            fact.site,
            "list_append" if type(fact.container) is Sequence else "dict_assign",
            f"`{fact.owner.name}` is mutated across calls; the exported program drops the mutation",
            evidence=Evidence.DERIVED,
        )
