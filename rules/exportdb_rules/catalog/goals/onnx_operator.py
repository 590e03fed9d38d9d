"""# onnx-operator

## What it does
Finds calls of operators, methods of tensors and modules of `torch.nn` of which `torch.onnx.export` takes no form, in code
that is exported to ONNX: with `check --to onnx`, the setting `to`, or a call of
`torch.onnx.export` that exports the model.

## Why export cannot do it
`torch.export` can: the operator is in the exported program. `torch.onnx.export` translates each operator with a function of
its own, and has none for this one; or onnxruntime has no kernel for what it becomes.

## Example
```python
def forward(self, x):
    return torch.linalg.inv(x @ x.mT)
```

## Use instead
```python
def forward(self, x):
    return torch.matmul(x, x.mT)
```

## Fix safety
There is no fix: what computes the same with other operators depends on what the values are for.

## Verdicts by version
They are measured by operator, with the tool itself, which lowers, loads and runs small programs of it. An operator is
reported if all of its programs fail. `exportdb-lsp rule EDB1001` prints this page; `exportdb-lsp export --to onnx` measures
your own model, with the versions that you have.

## References
- torch docs, "torch.onnx.export": `custom_translation_table`
"""

from __future__ import annotations

from exportdb_rules.no_fix import NoFix
from exportdb_rules.unsupported_operator import UnsupportedOperator


class OnnxOperator(UnsupportedOperator):
    """An operator that `torch.onnx.export` or onnxruntime does not support."""

    code = "EDB1001"
    name = "onnx-operator"
    goal = "onnx"
    summary = "An operator that `torch.onnx.export` or onnxruntime does not support"
    no_fix = NoFix.NO_EQUIVALENT
    lowers = ("torch.onnx.export", "torch")
    runs = ("onnxruntime", "onnxruntime")
    remedy = "use other operators, or give it a translation in `custom_translation_table=`"
