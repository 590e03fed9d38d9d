"""# old-export-api

## What it does
Finds calls and imports of names that were removed from torch.export, the argument `constraints=`, and
`torch.export.export` of a plain function. Code in a `try` block or behind a version check is not reported.

## Why export cannot do it
The names no longer exist: the import or the call raises. Export requires a module, whose parameters and buffers it
lifts to inputs of the graph; a function has none.

## Example
```python
import torch
from torch.export import dynamic_dim

class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()

x = torch.randn(3, 2)
exported = torch.export.export(Net(), (x,), constraints=[dynamic_dim(x, 0)])
```

## Use instead
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()

x = torch.randn(3, 2)
exported = torch.export.export(Net(), (x,), dynamic_shapes={"x": {0: torch.export.Dim("rows")}})
```

## Fix safety
Unsafe: what the old name did depends on the version of torch. The import is updated together with the uses.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB901` prints them.

## References
- torch docs, "torch.export API Reference"
- torch release notes 2.3 to 2.10
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import ApiUsed
from exportdb_rules.rule import Context, Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

# Name -> the measured case, and what to use.
_NAMES = {
    "torch._export.capture_pre_autograd_graph": ("capture_pre_autograd_graph", "`torch.export.export`"),
    "torch.export.dynamic_dim": ("dynamic_dim", "`torch.export.Dim` in `dynamic_shapes=`"),
    "torch.export.export_for_training": ("export_for_training", "`torch.export.export`"),
    "torch._constrain_as_value": ("constrain_as_value", "`torch._check`"),
    "torch._constrain_as_size": ("constrain_as_size", "`torch._check`"),
    "torch._check_is_size": ("check_is_size", "`torch._check`"),
    "torch.sym_constrain_range": ("sym_constrain_range", "`torch._check`"),
    "functorch.experimental.control_flow.cond": ("functorch_cond", "`torch.cond`"),
    "functorch.experimental.control_flow.map": ("functorch_map", "`torch._higher_order_ops.map`"),
}


class OldExportApi(Rule):
    """Removed or changed `torch.export` API."""

    code = "EDB901"
    name = "old-export-api"
    family = "export_api"
    summary = "Removed or changed `torch.export` API"
    facts = (ApiUsed,)
    cases = (
        "capture_pre_autograd_graph",
        "dynamic_dim",
        "export_for_training",
        "export_constraints",
        "export_of_function",
        "constrain_as_value",
        "constrain_as_size",
        "check_is_size",
        "sym_constrain_range",
        "functorch_cond",
        "functorch_map",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, ApiUsed)
        if fact.name.endswith("(constraints=)"):
            text = "`constraints=` was removed: declare dynamic dimensions in `dynamic_shapes=`"
            yield Violation(fact.site, "export_constraints", text)
        elif fact.name.endswith("(function)"):
            text = f"`{fact.argument}` is a function, but export requires a module: call it in a module's `forward`"
            yield Violation(fact.site, "export_of_function", text, fixable=True)
        else:
            case, instead = _NAMES[fact.name]
            yield Violation(fact.site, case, f"`{fact.name}` was removed: use {instead}", fixable=case != "dynamic_dim")

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.current_api import to_current_api

        return to_current_api(context)
