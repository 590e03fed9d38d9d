"""# attribute-mutation

## What it does
Finds writes to attributes of the module whose old value was read in the same call: counters, caches, running
statistics in plain attributes. An attribute that is only written, or read only after the write, changes no result and
stays silent, as does a cache of what is made of sizes and constants alone, which every call may make anew. A
registered buffer written in place is kept by export and stays silent.

## Why export cannot do it
The write happens while tracing, once, and leaves no trace in the graph. Export succeeds, the first call is right, and
every later one computes with the state of the first: nothing else reports it.

## Example
```python
def forward(self, x):
    self.calls += 1
    return x * self.calls
```

## Use instead
```python
def __init__(self):
    super().__init__()
    self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

def forward(self, x):
    self.calls.add_(1)
    return x * self.calls
```

## Fix safety
A buffer in place of a number changes the type that other code sees: unsafe. It is not persistent, so the state dict
stays as it is. A tensor that is handed on is copied, and where torch would compute in single precision what Python
computed in double, the number is read as a double. Functions of `math` become those of torch, which give infinity or
NaN where `math` raises; an item or the rows of a tensor that begin at the number are written by their indices. A
counter on the class becomes one tensor that every object registers; a number that the first call computes becomes a
buffer with a flag, and is computed on every call; a tensor that is None before the first call becomes a buffer of the
size that the examples give it (another one raises), with a flag where somebody asks, and a tuple of tensors one buffer for
each. A value that may have another shape or dtype than the first one gets no fix.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB401` prints them.

## References
- ExportDB: `model_attr_mutation`
- torch.export programming model, "Side effects"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.mutation.caches import set_up_once
from exportdb_rules.catalog.mutation.reads import read_elsewhere
from exportdb_rules.facts import AttributeWritten
from exportdb_rules.joins import tensors
from exportdb_rules.rewrite.buffers.held_state import class_attribute_to_buffer
from exportdb_rules.rewrite.buffers.lazy_state import first_value_to_buffer
from exportdb_rules.rewrite.buffers.missing_state import missing_to_buffer
from exportdb_rules.rewrite.buffers.pair_state import pair_to_buffers
from exportdb_rules.rewrite.buffers.state import attribute_to_buffer, setattr_to_assignment
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import BUFFER, NONE, PARAMETER, Class, Instance
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class AttributeMutation(Rule):
    """An attribute that the next call reads is written."""

    code = "EDB401"
    name = "attribute-mutation"
    family = "mutation"
    summary = "an attribute that the next call reads is written"
    facts = (AttributeWritten,)
    cases = (
        "attribute_assign",
        "attribute_counter",
        "attribute_cache",
        "plain_tensor_augmented",
        "buffer_reassigned",
        "setattr_self",
        "class_attribute",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, AttributeWritten)
        owner = fact.owner
        if type(owner) is Class and fact.augmented:
            yield Report(
                fact.site,
                "class_attribute",
                f"{quote(fact.site)} counts on the class, but the write is lost in the exported program: it computes every call as if it were the first",
                fixable=True,
            )
            return
        if type(owner) is not Instance or not (fact.read_before or fact.augmented):
            return
        if not fact.augmented and set_up_once(fact.site, fact.value):
            return
        if fact.augmented and isinstance(fact.site.node, ast.Attribute) and not _is_read(fact, owner):
            return  # a count that nobody asks for changes nothing
        held = tensors(owner.attributes.get(fact.name, NONE))
        if any(tensor.origin in (BUFFER, PARAMETER) for tensor in held):
            if fact.augmented:
                return  # `self.buffer += x` writes in place, and export keeps that
            case = "buffer_reassigned"
        elif fact.augmented and held:
            case = "plain_tensor_augmented"
        elif fact.augmented:
            case = "attribute_counter"
        else:
            case = "setattr_self" if isinstance(fact.site.node, ast.Call) else "attribute_assign"
        yield Report(
            fact.site,
            case,
            f"{quote(fact.site)} is state that the next call reads, but the write is lost in the exported program: it computes every call as if it were the first",
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        if context.finding.case == "class_attribute":
            return class_attribute_to_buffer(context)
        return (
            setattr_to_assignment(context)
            or attribute_to_buffer(context)
            or first_value_to_buffer(context)
            or missing_to_buffer(context)
            or pair_to_buffers(context)
        )


def _is_read(fact: AttributeWritten, owner: Instance) -> bool:
    """Whether the attribute is read anywhere: in the file of the write, or in that of the object's class."""
    files = {fact.site.module, owner.cls.module.file} if owner.cls is not None else {fact.site.module}
    return any(read_elsewhere(module, fact.name) for module in files)
