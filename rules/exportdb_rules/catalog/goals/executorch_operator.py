"""# executorch-operator

## What it does
Finds calls of operators, methods of tensors and modules of `torch.nn` of which ExecuTorch takes no form, in code
that is exported to ExecuTorch: with `check --to executorch`, the setting `to`.

## Why export cannot do it
`torch.export` can: the operator is in the exported program. The lowering of ExecuTorch takes
the operators of Core ATen only, and its runtime needs a kernel for each that no backend takes.

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
reported if all of its programs fail. `exportdb-lsp rule EDB1002` prints this page; `exportdb-lsp export --to executorch` measures
your own model, with the versions that you have.

## References
- ExecuTorch docs, "Core ATen operator set" and "Kernel registration"
"""

from __future__ import annotations

from exportdb_rules.no_fix import NoFix
from exportdb_rules.unsupported_operator import UnsupportedOperator


class ExecutorchOperator(UnsupportedOperator):
    """An operator that ExecuTorch does not support."""

    code = "EDB1002"
    name = "executorch-operator"
    goal = "executorch"
    summary = "An operator that ExecuTorch does not support"
    no_fix = NoFix.NO_EQUIVALENT
    lowers = ("ExecuTorch", "executorch")
    runs = ("the runtime of ExecuTorch", "executorch")
    remedy = "use operators of Core ATen, or register a kernel for it"
