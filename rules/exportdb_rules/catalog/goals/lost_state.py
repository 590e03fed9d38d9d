"""# lost-state

## What it does
Finds writes to buffers, and to inputs, in code that is exported to ONNX: with `check --to onnx`, the setting `to`, or a call
of `torch.onnx.export` that exports the model. Writes to inputs are reported only where such a call is known. Not reported are
buffers that nothing else reads, or that are overwritten as a whole before they are read, and writes that not every call does.

## Why export cannot do it
`torch.export` can: the exported program writes the new value back. An ONNX model returns its outputs, and writes nothing:
each call starts with the value that the buffer had at the export, and inputs stay as they are.

## Example
```python
def __init__(self):
    super().__init__()
    self.register_buffer("total", torch.zeros(3))

def forward(self, x):
    self.total += x
    return self.total * 2
```

## Use instead
```python
def forward(self, x, total):
    total = total + x
    return total * 2, total
```

## Fix safety
There is no fix: the callers have to pass the state in, and to keep what is returned.

## Verdicts by version
They are measured on cases that `torch.export` exports as they are, with the tools themselves: `exportdb-lsp cases run --to onnx`.
`exportdb-lsp rule EDB1006` prints this page; `exportdb-lsp export --to onnx` measures your own model.

## References
- torch docs, "torch.onnx.export"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import AttributeWritten, TensorWritten
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import BUFFER, INPUT, Evidence, Instance, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.values import Site

# The measured programs.
_CASES: Final = {"augmented": "buffer_augmented_ok", "item": "buffer_slice_write_ok", "assigned": "buffer_reassigned"}
# What puts another value in the place of all that was there: a call does not depend on the one before.
_WHOLE: Final = frozenset({"copy_", "fill_", "zero_", "normal_", "uniform_", "random_", "bernoulli_", "out"})


class LostState(Rule):
    """A buffer or an input is written, which an ONNX model does not keep."""

    code = "EDB1006"
    name = "lost-state"
    family = "goals"
    summary = "A buffer or an input is written, which an ONNX model does not keep"
    no_fix = NoFix.NEEDS_AUTHOR  # the callers pass the state in
    facts = (TensorWritten, AttributeWritten)
    cases = ()
    goal = "onnx"

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if self.goal not in context.goals or context.optional:
            return
        if isinstance(fact, AttributeWritten):
            old = fact.owner.attributes.get(fact.name) if type(fact.owner) is Instance else None
            buffer = type(old) is Tensor and old.origin == BUFFER
            # What is written by `+=` is a write to the tensor itself.
            if buffer and not fact.augmented and fact.read_before and type(fact.value) is Tensor:
                yield _lost(
                    fact.site, "assigned", "is assigned a buffer's new value, which the ONNX model does not keep"
                )
            return
        assert isinstance(fact, TensorWritten)
        value = fact.value
        if value.origin == INPUT and self.goal in context.called:
            text = f"{quote(fact.site)} writes to an input, which the ONNX model does not change: return the new value"
            case = "input_in_place_ok"
            yield Violation(
                fact.site, case, text, evidence=value.evidence, parameter=value.param, outermost=True, always=True
            )
        elif value.origin == BUFFER and fact.form not in _WHOLE and _is_read(fact.site):
            yield _lost(fact.site, fact.form, "updates a buffer, which the ONNX model does not keep")


def _lost(site: Site, form: str, what: str) -> Violation:
    text = f"{quote(site)} {what}: every call starts with the value of the export; pass the state in, and return it"
    # What only a part is written of may be written again before it is read.
    evidence = Evidence.DERIVED if form == "item" else Evidence.OBSERVED
    return Violation(site, _CASES.get(form, "buffer_in_place_ok"), text, evidence=evidence, always=True)


def _is_read(site: Site) -> bool:
    """Whether the attribute that is written stands anywhere else in the file: what nobody reads has no effect."""
    inside = _own(site.node)
    if not inside:
        return False
    name, known = inside[0].attr, {id(node) for node in inside}
    every = [node for statement in site.module.file.body for node in _own(statement)]
    return any(node.attr == name and isinstance(node.ctx, ast.Load) and id(node) not in known for node in every)


def _own(tree: ast.AST) -> list[ast.Attribute]:
    """The attributes of `self` in a piece of code."""
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return [node for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "self"]
