"""# numpy-escape

## What it does
Finds `.numpy()` on a tensor of the graph, and NumPy or SciPy functions called on one. For strict export it also finds
NumPy scalars computed from plain numbers where their value is needed: a branch, a slice, `range`, `.item()`, a size of a
view that has no -1; the `dtype`, `flags` and `base` of arrays; and functions of NumPy that torch has no translation of (`np.interp`, `np.mgrid[…]`).

## Why export cannot do it
Non-strict export runs on fake tensors, which have no data for NumPy to read. Strict export translates part of NumPy
into torch and represents even NumPy scalars as tensors; everything else is dropped or fails.

## Example
```python
def forward(self, x):
    return torch.from_numpy(np.sqrt(x.numpy()))
```

## Use instead
```python
def forward(self, x):
    return torch.sqrt(x)
```

## Fix safety
Unsafe: gradients, which NumPy cuts, may flow afterwards, and inputs of unknown dtype are assumed to be
floating-point. Offered if every array operation of the function has a torch equivalent: then the whole function is
rewritten. Functions of plain numbers become those of Python's `math`: safe for `lcm` and `gcd` as an index, a slice
bound or the end of a range, otherwise unsafe, since Python may raise where NumPy warns.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB204` prints them.

## References
- torch docs, "NumPy in torch.compile"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import DataRead, NumpyAsked
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact, NumpyForm
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_ASKED: Final[dict[NumpyForm, str]] = {
    "branch": "numpy_number_branch",
    "slice": "numpy_number_slice",
    "index": "numpy_number_slice",
    "view": "numpy_number_view",
    "math": "numpy_number_item",
    "item": "numpy_number_item",
    "format": "numpy_number_range",
    "range": "numpy_number_range",
    "ufunc": "numpy_reduce",
    "attribute": "numpy_dtype",
    "untranslated": "numpy_untranslated",
}


_READ: Final = {
    "numpy": "numpy_of_tensor",
    "__array__": "numpy_of_tensor",
    "numpy-call": "numpy_function",
    "numpy-untranslated": "numpy_untranslated_of_tensor",
}


class NumpyEscape(Rule):
    """A tensor is converted to NumPy or SciPy in traced code."""

    code = "EDB204"
    name = "numpy-escape"
    family = "dynamic_value"
    summary = "A tensor is converted to NumPy or SciPy in traced code"
    facts = (DataRead, NumpyAsked)
    cases = (
        "numpy_of_tensor",
        "numpy_function",
        "numpy_number_branch",
        "numpy_number_slice",
        "numpy_number_view",
        "numpy_number_item",
        "numpy_number_range",
        "numpy_reduce",
        "numpy_dtype",
        "numpy_dtype_of_tensor",
        "numpy_untranslated",
        "numpy_untranslated_of_tensor",
        "numpy_of_tensor_captured",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, NumpyAsked):
            yield Violation(
                fact.site, _ASKED[fact.form], _of_number(fact), fixable=fact.form not in ("attribute", "untranslated")
            )
            return
        assert isinstance(fact, DataRead)
        case = _READ.get(fact.operation)
        if case is None:
            return
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} converts a tensor to NumPy: operations on the array are not recorded in the graph",
            evidence=max(Evidence.DERIVED, fact.value.evidence),
            fixable=True,
            parameter=fact.value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.eager_only import eager_only
        from exportdb_rules.rewrite.numbers.numpy_calls import numpy_to_torch
        from exportdb_rules.rewrite.numbers.numpy_numbers import numbers_to_math

        if context.finding.case in _ASKED.values():
            return numbers_to_math(context)
        return (*eager_only(context), *numpy_to_torch(context))


def _of_number(fact: NumpyAsked) -> str:
    if fact.form == "ufunc":
        return f"{quote(fact.site)} calls a method of a NumPy ufunc, which strict export does not support"
    if fact.form == "untranslated":
        return f"{quote(fact.site)} calls what torch has no translation of, so that strict export does not support it"
    if fact.form == "attribute":
        return f"{quote(fact.site)} is an attribute of a NumPy array that strict export does not know"
    return f"{quote(fact.site)} is a NumPy scalar computed while tracing: strict export turns it into a tensor and cannot read its value"
