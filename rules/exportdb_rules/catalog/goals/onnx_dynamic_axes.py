"""# onnx-dynamic-axes

## What it does
Finds `dynamic_axes=` in a call of `torch.onnx.export` that goes through torch.export (`dynamo=True`, the default from torch
2.9 on).

## Why export cannot do it
The exporter makes `dynamic_shapes` of `dynamic_axes`, warns, and will stop to do so. It does not look at the names: the first
entry declares the axes of the first input, and inputs without an entry come last. Entries in another order than the inputs
declare the axes of another input, without an error. If there are more or fewer entries than inputs, it raises. An axis that is
counted from the end stays static.

## Example
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y

x, y = torch.randn(3, 4), torch.randn(3, 4)
torch.onnx.export(Net(), (x, y), "net.onnx", input_names=["x", "y"], dynamic_axes={"y": {0: "rows"}})
```

## Use instead
```python
import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y

x, y = torch.randn(3, 4), torch.randn(3, 4)
torch.onnx.export(Net(), (x, y), "net.onnx", input_names=["x", "y"], dynamic_shapes={"x": None, "y": {0: "rows"}})
```

## Fix safety
Safe where the exporter itself makes the same `dynamic_shapes`. Unsafe where it raises, or where other axes become dynamic than
the names say.

## Verdicts by version
They are measured with the exporter itself, by `rules/scripts/onnx_options.py`. `exportdb-lsp rule EDB1004` prints this page;
`exportdb-lsp export --to onnx` measures your own call.

## References
- torch docs, "torch.onnx.export": `dynamic_axes` and `dynamic_shapes`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import OnnxAxes
from exportdb_rules.finding import Verdict
from exportdb_rules.onnx_calls import is_measured, is_through_export
from exportdb_rules.rule import Context, Rule, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

_DEPRECATED: Final = (
    "`dynamic_axes=` is deprecated for exports through torch.export: declare the axes in `dynamic_shapes=`"
)
# What is said of each kind, and what happens.
_MESSAGES: Final = {
    "same": (_DEPRECATED, Verdict.OK),
    "unknown": (_DEPRECATED, Verdict.OK),
    "other": (
        "`dynamic_axes=` goes by the order of its entries, not by their names: `{0}` gets the axes of `{1}`",
        Verdict.SPECIALIZES,
    ),
    "count": (
        "Entries of `dynamic_axes=` and `input_names=`: {0}, inputs: {1}; `torch.onnx.export` raises unless they are as many",
        Verdict.FAILS,
    ),
    "negative": (
        "Axis {1} of `{0}` is counted from the end: `torch.onnx.export` leaves it static without an error",
        Verdict.SPECIALIZES,
    ),
}


class OnnxDynamicAxes(Rule):
    """`dynamic_axes` where `torch.onnx.export` goes through torch.export."""

    code = "EDB1004"
    name = "onnx-dynamic-axes"
    family = "goals"
    summary = "`dynamic_axes` where `torch.onnx.export` goes through torch.export"
    facts = (OnnxAxes,)
    cases = ()
    goal = "onnx"

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, OnnxAxes)
        if not is_measured(context.torch_version) or not is_through_export(fact.dynamo, context.torch_version):
            return
        message, verdict = _MESSAGES[fact.kind]
        yield Violation(fact.site, "", message.format(*fact.parts), fixable=True, verdict=verdict)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.onnx_export import axes_as_shapes

        return axes_as_shapes(context, safe=Verdict.OK in context.finding.verdict.values())
