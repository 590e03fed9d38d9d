"""# operator-reads-data

## What it does
Finds operators that read tensor values to select a code path or to determine the size of their result: `torch.cov` and
`torch.corrcoef`, `torch.combinations`, `torch.linalg.lstsq`, `torch.lobpcg`, the CTC loss, `gaussian_nll_loss`,
`nn.AdaptiveLogSoftmaxWithLoss`, `nn.init.trunc_normal_`, `torch.testing.assert_close`, DLPack, `Tensor.apply_` and
`map_`; and nested tensors and `torch._shape_as_tensor`, which have no fake implementation at all.

## Why export cannot do it
Fake tensors have shapes but no values. An operator that compares values internally (`aten.equal`), that has no fake
kernel because its output shape depends on values, or that calls Python for each element cannot be traced.

## Example
```python
def forward(self, x):
    return torch.cov(x)
```

## Use instead
```python
def forward(self, x):
    centred = x - x.mean(1, keepdim=True)
    return centred @ centred.T / (x.shape[1] - 1)
```

Compute a loss outside the exported model.

## Fix safety
The solution of `lstsq` becomes a product with `torch.linalg.pinv`: unsafe, the last digits may differ.
`torch._shape_as_tensor(x)` becomes `torch.tensor(x.shape)`: safe. There is no fix for the others.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB209` prints them.

## References
- torch docs, fake tensors: `DataDependentOutputException`, `DynamicOutputShapeException`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Called
from exportdb_rules.lattice import choices
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Const, Evidence, Static, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.values import Value

# Qualified name -> the measured case, and what the operator does.
_OPERATORS: Final = {
    **dict.fromkeys(("torch.cov", "torch.corrcoef", "Tensor.cov", "Tensor.corrcoef"),
                    ("covariance", "compares its weights by value")),
    "torch.nn.AdaptiveLogSoftmaxWithLoss": ("adaptive_softmax", "selects the rows of each cluster by the values of the targets"),
    **dict.fromkeys(("torch._shape_as_tensor", "torch.onnx.operators.shape_as_tensor"),
                    ("shape_as_tensor", "makes a tensor of the sizes")),
    "torch.lobpcg": ("lobpcg", "iterates until it converges"),
    "torch.nn.init.trunc_normal_": ("truncated_normal", "draws again what lies outside the bounds"),
    "torch.testing.assert_close": ("assert_close", "compares values"),
    **dict.fromkeys(("torch.from_dlpack", "torch.utils.dlpack.from_dlpack", "torch.utils.dlpack.to_dlpack", "Tensor.__dlpack__"),
                    ("dlpack", "passes the memory of a tensor on")),
    "torch.combinations": ("combinations", "selects by a mask internally"),
    "torch.linalg.lstsq": ("least_squares", "returns residuals whose shape depends on the rank of the matrix"),
    **dict.fromkeys(("torch.nn.functional.ctc_loss", "torch.ctc_loss", "torch.nn.CTCLoss"),
                    ("ctc_loss", "allocates by the values of the lengths")),
    **dict.fromkeys(("torch.nn.functional.gaussian_nll_loss", "torch.nn.GaussianNLLLoss"),
                    ("gaussian_nll", "checks for negative variances")),
    **dict.fromkeys(("Tensor.apply_", "Tensor.map_"), ("apply_to_elements", "calls Python for every element")),
    **dict.fromkeys(("torch.nested.nested_tensor", "torch.nested.as_nested_tensor"),
                    ("nested_tensor", "creates a nested tensor")),
}  # fmt: skip


_READS: Final = "it reads tensor values, which fake tensors do not have"
_NO_FAKE: Final = "export has no fake implementation of it"
_NOT_FAKED: Final = ("nested_tensor", "shape_as_tensor")


class OperatorReadsData(Rule):
    """An operator reads tensor values."""

    code = "EDB209"
    name = "operator-reads-data"
    family = "dynamic_value"
    summary = "An operator reads tensor values"
    no_fix = NoFix.READS_DATA
    facts = (Called,)
    cases = (
        "adaptive_softmax",
        "lobpcg",
        "truncated_normal",
        "assert_close",
        "dlpack",
        "covariance",
        "combinations",
        "least_squares",
        "ctc_loss",
        "gaussian_nll",
        "apply_to_elements",
        "nested_tensor",
        "shape_as_tensor",
    )
    calls = _OPERATORS

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Called)
        if _spared(fact):
            return
        case, what = _OPERATORS[fact.name]
        given = [value for value in fact.arguments if type(value) is Tensor]
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} {what}: {_NO_FAKE if case in _NOT_FAKED else _READS}",
            evidence=max([Evidence.DERIVED, *[tensor.evidence for tensor in given]]),
            parameter=given[0].param if len(given) == 1 else None,
            fixable=case in ("least_squares", "shape_as_tensor"),
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.equivalents.formulas import lstsq_to_pinv, shape_as_tensor_to_tensor

        return (
            shape_as_tensor_to_tensor(context) if context.finding.case == "shape_as_tensor" else lstsq_to_pinv(context)
        )


def _spared(fact: Called) -> bool:
    """Whether what the operator is asked for needs no data after all."""
    keywords: dict[str, Value] = dict(fact.keywords)
    if fact.name == "torch.nested.nested_tensor":
        layout = keywords.get("layout")
        return layout is not None  # the jagged layout has fakes
    if fact.name.rpartition(".")[2] in ("gaussian_nll_loss", "GaussianNLLLoss"):
        variance = keywords.get("var", fact.arguments[2] if len(fact.arguments) > 2 else None)
        return variance is not None and all(
            type(c) in (Const, Static) for c in choices(variance)
        )  # one number for all is looked at by Python
    if fact.name == "torch.combinations":
        count = keywords.get("r", fact.arguments[1] if len(fact.arguments) > 1 else None)
        return type(count) is Const and count.value == 1
    return False
