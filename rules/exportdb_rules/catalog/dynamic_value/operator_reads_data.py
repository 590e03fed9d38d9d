"""# operator-reads-data

## What it does
Finds operators that look at the numbers they are given to decide how they go on, or how large their result is: `torch.cov`
and `torch.corrcoef`, `torch.combinations`, `torch.linalg.lstsq`, the CTC loss, `gaussian_nll_loss`, `Tensor.apply_` and
`map_`, and nested tensors, which have no fakes at all.

## Why export cannot do it
While tracing there are shapes and no numbers. An operator that compares values inside (`aten.equal`), or that has no fake
kernel because only its numbers tell the shape of what it gives, cannot be traced; nor can one that calls Python with each
element.

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

A loss is best computed outside of what is exported.

## Fix safety
`cov`, `corrcoef`, pairs of `combinations`, the solution of `lstsq` and `gaussian_nll_loss` are written out as what they
compute; `apply_` and `map_` of a function that is one expression and can raise for no number become that expression over
all numbers, in double precision as Python computes; a nested tensor that is only padded is `pad_sequence`. All are unsafe: the last digits may differ, and a negative variance
fails an assertion of the graph where eager raised ValueError. The CTC loss gets no fix.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB209` prints them.

## References
- torch docs, fake tensors: `DataDependentOutputException`, `DynamicOutputShapeException`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Called
from exportdb_rules.joins import choices
from exportdb_rules.rewrite.equivalents.formulas import operator_to_formula
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import Const, Static, Tensor
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
    "torch.combinations": ("combinations", "selects by a mask inside"),
    "torch.linalg.lstsq": ("least_squares", "gives residuals whose shape depends on the rank of the matrix"),
    **dict.fromkeys(("torch.nn.functional.ctc_loss", "torch.ctc_loss", "torch.nn.CTCLoss"),
                    ("ctc_loss", "makes room for as much as the lengths say")),
    **dict.fromkeys(("torch.nn.functional.gaussian_nll_loss", "torch.nn.GaussianNLLLoss"),
                    ("gaussian_nll", "looks for negative variances")),
    **dict.fromkeys(("Tensor.apply_", "Tensor.map_"), ("apply_to_elements", "calls Python with every number")),
    **dict.fromkeys(("torch.nested.nested_tensor", "torch.nested.as_nested_tensor"),
                    ("nested_tensor", "makes a tensor that has no fake")),
}  # fmt: skip


# What can be written out.
_WRITTEN_OUT: Final = frozenset(
    ("covariance", "combinations", "least_squares", "gaussian_nll", "apply_to_elements", "nested_tensor")
)


class OperatorReadsData(Rule):
    """An operator looks at the numbers of a tensor while it runs."""

    code = "EDB209"
    name = "operator-reads-data"
    family = "dynamic_value"
    summary = "an operator looks at the numbers of a tensor while it runs"
    facts = (Called,)
    cases = (
        "covariance",
        "combinations",
        "least_squares",
        "ctc_loss",
        "gaussian_nll",
        "apply_to_elements",
        "nested_tensor",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, Called)
        known = _OPERATORS.get(fact.name)
        if known is None or _spared(fact):
            return
        case, what = known
        given = [value for value in fact.arguments if type(value) is Tensor]
        yield Report(
            fact.site,
            case,
            f"{quote(fact.site)} {what}: tracing has no numbers to look at",
            sure=max([1, *[tensor.sure for tensor in given]]),
            parameter=given[0].param if len(given) == 1 else None,
            fixable=case in _WRITTEN_OUT,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return operator_to_formula(context)


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
