"""# exported-program-use

## What it does
Finds calls of an ExportedProgram itself, and of `eval` and `train` on it or on its module.

## Why export cannot do it
An ExportedProgram contains a graph, a signature and the weights; `module()` creates the module that runs it. Whether
layers such as dropout are in training mode is decided at export and is part of the graph.

## Example
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()

x = torch.randn(3, 2)
exported = torch.export.export(Net(), (x,))
result = exported(x)
```

## Use instead
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()

x = torch.randn(3, 2)
exported = torch.export.export(Net(), (x,))
result = exported.module()(x)
```

## Fix safety
Unsafe: the fix edits a call that raises. `eval` and `train` are called on the model before export instead,
which leaves the model itself in that mode.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB903` prints them.

## References
- torch docs, "torch.export API Reference": `ExportedProgram`
- torch docs, "torch.export Tutorial"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import ProgramMisused
from exportdb_rules.rule import Context, Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

# The case that each kind rests on, and the message.
_MESSAGES: Final = {
    "call": ("exported_program_called", "An ExportedProgram is not callable: call `{0}.module()(…)`"),
    "program-eval": ("exported_program_eval", "An ExportedProgram has no `eval`: call `eval` on the model before export"),
    "program-train": ("exported_program_eval", "An ExportedProgram has no `train`: call `train` on the model before export"),
    "eval": ("exported_module_eval", "The module of an ExportedProgram does not support `eval`: call it on the model before export"),
    "train": ("exported_module_train", "The module of an ExportedProgram does not support `train`: call it on the model before export"),
}  # fmt: skip


class ExportedProgramUse(Rule):
    """An ExportedProgram is used as if it were the model."""

    code = "EDB903"
    name = "exported-program-use"
    family = "export_api"
    summary = "An ExportedProgram is called, or switched to `eval` or `train`"
    facts = (ProgramMisused,)
    cases = ("exported_program_called", "exported_program_eval", "exported_module_eval", "exported_module_train")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, ProgramMisused)
        case, message = _MESSAGES[fact.kind]
        yield Violation(fact.site, case, message.format(fact.name), fixable=True)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.export_use import use_fixes

        return use_fixes(context)
