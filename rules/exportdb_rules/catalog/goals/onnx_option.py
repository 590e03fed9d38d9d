"""# onnx-option

## What it does
Finds options of `torch.onnx.export` that do nothing in the exporter that the call chooses, that make it raise, or an
`opset_version` that it has no implementations for.

## Why export cannot do it
`torch.onnx.export` has two exporters: one goes through torch.export (`dynamo=True`, the default from torch 2.9 on), the other
through TorchScript. Each ignores the options of the other, mostly without a warning. Options that were removed raise a
TypeError.

## Example
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()

torch.onnx.export(Net(), (torch.randn(3, 2),), "net.onnx", do_constant_folding=True)
```

## Use instead
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x.sin()

torch.onnx.export(Net(), (torch.randn(3, 2),), "net.onnx")
```

## Fix safety
Safe for an option that does nothing: the call makes the same model without it. Unsafe for one that raises.

## Verdicts by version
They are measured with both exporters, by `rules/scripts/onnx_options.py`: an option does nothing if the model is the same, byte
by byte, for all values that were tried. `exportdb-lsp rule EDB1005` prints this page.

## References
- torch docs, "torch.onnx.export"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules import onnx_calls
from exportdb_rules.facts import OnnxOption
from exportdb_rules.finding import Verdict
from exportdb_rules.rule import Context, Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

_INSTEAD: Final = {
    "training": ": call `eval()` or `train()` on the model before the export",
    "operator_export_type": ": translate operators with `custom_translation_table=`",
    "custom_opsets": ": translate operators with `custom_translation_table=`",
    "do_constant_folding": ": `optimize=` decides whether constants are folded",
    "fallback": ": catch the error, and call it with `dynamo=False`",
}
_EXPORTERS: Final = {
    True: "the exporter that goes through torch.export",
    False: "the TorchScript exporter (`dynamo=False`)",
}


class OnnxOptionRule(Rule):
    """An option of `torch.onnx.export` that the exporter ignores or refuses."""

    code = "EDB1005"
    name = "onnx-option"
    family = "goals"
    summary = "An option of `torch.onnx.export` that the exporter ignores or refuses"
    facts = (OnnxOption,)
    cases = ()
    goal = "onnx"

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, OnnxOption)
        if not onnx_calls.is_measured(context.torch_version):
            return
        dynamo = onnx_calls.is_through_export(fact.dynamo, context.torch_version)
        instead = _INSTEAD.get(fact.name, "")
        if fact.name not in onnx_calls.known_options():
            text = f"`torch.onnx.export` has no option `{fact.name}=`, and raises{instead}"
            yield Violation(fact.site, "", text, fixable=True, verdict=Verdict.FAILS)
        elif onnx_calls.effect(fact.name, dynamo) == "refused":
            text = f"`{fact.name}=` is refused by {_EXPORTERS[dynamo]}"
            yield Violation(fact.site, "", text, verdict=Verdict.FAILS)
        elif reason := _nothing(fact, dynamo):
            text = f"`{fact.name}=` does nothing {reason}{instead}"
            yield Violation(fact.site, "", text, fixable=True, verdict=Verdict.OK)
        elif (
            fact.name == "opset_version"
            and dynamo
            and (fact.value or onnx_calls.least_opset()) < onnx_calls.least_opset()
        ):
            text = (
                f"`opset_version={fact.value}` is lower than what the exporter makes, {onnx_calls.least_opset()}: it converts the "
                f"model afterwards, and keeps {onnx_calls.least_opset()} without an error where that fails"
            )
            yield Violation(fact.site, "", text, verdict=Verdict.OK)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.onnx_export import without_option

        return without_option(context, safe=Verdict.OK in context.finding.verdict.values())


def _nothing(fact: OnnxOption, dynamo: bool) -> str:
    """Where an option does nothing; empty if it does something."""
    if fact.program and fact.name in ("dynamic_axes", "dynamic_shapes"):
        return "for an ExportedProgram, which has its dynamic shapes already"
    if fact.shapes and fact.name == "dynamic_axes" and dynamo:
        return "next to `dynamic_shapes=`"
    found = onnx_calls.effect(fact.name, dynamo)
    if found == "unsaved" and not fact.saved:
        return "unless the call writes a file"
    return f"in {_EXPORTERS[dynamo]}" if found == "ignored" else ""
