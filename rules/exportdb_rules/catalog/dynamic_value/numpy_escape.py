"""# numpy-escape

## What it does
Finds `.numpy()` on a tensor of the graph and numpy or scipy functions called on one. Of a number that a numpy function
makes from plain numbers it finds, for strict export, where it is asked for its value: a branch, a slice, `range`,
`.item()`.

## Why export cannot do it
Non-strict export runs on fake tensors, which have no data for numpy to read. Strict export translates part of numpy
into torch, whose tensors it makes even of plain numbers; what it does not know is lost or fails.

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
Unsafe: the gradient, which numpy cuts, may flow afterwards, and inputs of unknown dtype are taken to be floating. Offered
where everything that the function does with its arrays has an equal in torch: then all of it is rewritten. Functions of
plain numbers become those of Python's `math`: safe for `lcm` and `gcd`, else unsafe, as Python's may raise where numpy's
warn.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB204` prints them.

## References
- torch docs, "NumPy in torch.compile"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import DataRead, NumpyAsked
from exportdb_rules.rewrite.interface.eager_only import eager_only
from exportdb_rules.rewrite.numbers.numpy_calls import numpy_to_torch
from exportdb_rules.rewrite.numbers.numpy_numbers import numbers_to_math
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_ASKED = {
    "branch": "numpy_number_branch",
    "slice": "numpy_number_slice",
    "index": "numpy_number_slice",
    "math": "numpy_number_item",
    "item": "numpy_number_item",
    "astype": "numpy_number_item",
    "format": "numpy_number_range",
    "range": "numpy_number_range",
    "ufunc": "numpy_reduce",
}


class NumpyEscape(Rule):
    """A tensor leaves for numpy or scipy."""

    code = "EDB204"
    name = "numpy-escape"
    family = "dynamic_value"
    summary = "a tensor leaves for numpy or scipy"
    facts = (DataRead, NumpyAsked)
    cases = (
        "numpy_of_tensor",
        "numpy_function",
        "numpy_number_branch",
        "numpy_number_slice",
        "numpy_number_item",
        "numpy_number_range",
        "numpy_reduce",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        if isinstance(fact, NumpyAsked):
            yield Report(fact.site, _ASKED[fact.form], _of_number(fact), fixable=True)
            return
        assert isinstance(fact, DataRead)
        case = {"numpy": "numpy_of_tensor", "__array__": "numpy_of_tensor", "numpy-call": "numpy_function"}.get(
            fact.operation
        )
        if case is None:
            return
        yield Report(
            fact.site,
            case,
            f"{quote(fact.site)} takes the tensor out of torch: what numpy does to it is not in the graph",
            sure=max(1, fact.value.sure),
            fixable=True,
            parameter=fact.value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        if context.finding.case in _ASKED.values():
            return numbers_to_math(context)
        return (*eager_only(context), *numpy_to_torch(context))


def _of_number(fact: NumpyAsked) -> str:
    if fact.form == "ufunc":
        return f"strict export cannot follow the method of a numpy function in {quote(fact.site)}"
    return f"{quote(fact.site)} comes from a numpy function: strict export makes a tensor of it, whose value it cannot ask for"
