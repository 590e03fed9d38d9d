"""# numpy-constant

## What it does
Finds numbers and arrays that numpy made before `forward` runs (in the constructor, or in the file) where `forward`
uses them: for strict export only.

## Why export cannot do it
Strict export takes a numpy value from outside for an input of the graph and makes a tensor of it, whose value the graph
is never given: what is computed from it is a fake tensor or whatever lies in memory. No error is raised. A branch, or a
`range`, on such a number does fail. Python's numbers are constants of the graph, and tensors of the module are kept.

## Example
```python
def __init__(self):
    super().__init__()
    self.scale = np.sqrt(2)

def forward(self, x):
    return x * self.scale
```

## Use instead
```python
def __init__(self):
    super().__init__()
    self.scale = float(np.sqrt(2))

def forward(self, x):
    return x * self.scale
```

## Fix safety
Unsafe: torch takes numpy's number for the Python number that it equals, but Python's raises where numpy's only warns, as
when something is divided by 0. Offered where one assignment, in the constructor or in the file, makes the number. An array
should become a buffer, which those who use it must agree to.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB210` prints them.

## References
- torch docs, "NumPy in torch.compile"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import NumpyKept
from exportdb_rules.rewrite.numbers.numpy_kept import as_python_number
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

_CASES = {
    "number": "numpy_kept_number",
    "array": "numpy_kept_array",
    "branch": "numpy_kept_branch",
    "range": "numpy_kept_range",
}


class NumpyConstant(Rule):
    """What numpy made before tracing has no value in the graph of a strict export."""

    code = "EDB210"
    name = "numpy-constant"
    family = "dynamic_value"
    summary = "a value that numpy made before tracing is used in forward"
    facts = (NumpyKept,)
    cases = tuple(_CASES.values())

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, NumpyKept)
        kind = "an array" if fact.form == "array" else "a number"
        yield Report(
            fact.site,
            _CASES[fact.form],
            f"{quote(fact.site)} uses {kind} that numpy made before tracing: strict export makes a tensor of it that has "
            "no value",
            sure=1,
            fixable=fact.form != "array",
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return as_python_number(context)
