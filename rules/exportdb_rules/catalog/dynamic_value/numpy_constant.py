"""# numpy-constant

## What it does
Finds NumPy scalars and arrays that are created before `forward` runs (in the constructor or at module level) and used
in `forward`. Reported for strict export only.

## Why export cannot do it
Strict export lifts a NumPy value from outside to an input of the graph, but that input is never supplied: the result is
computed from a fake tensor or from uninitialized memory. No error is raised. A branch or a `range` on such a number
does fail. Python numbers become constants of the graph, and tensors of the module are lifted correctly.

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
Unsafe: torch treats the NumPy scalar as the equal Python number, but Python arithmetic raises where NumPy only warns,
for instance on division by zero. Offered if a single assignment, in the constructor or at module level, creates the
number. An array that the constructor creates and `forward` only converts (`torch.from_numpy`, `torch.tensor`) becomes a
buffer, which moves with the module and takes its dtype. It is not persistent: checkpoints stay as they are.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB210` prints them.

## References
- torch docs, "NumPy in torch.compile"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import NumpyKept
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence
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
    """A NumPy value created before tracing is used in `forward`."""

    code = "EDB210"
    name = "numpy-constant"
    family = "dynamic_value"
    summary = "A NumPy value created before tracing is used in `forward`"
    facts = (NumpyKept,)
    cases = (*_CASES.values(), "numpy_kept_converted")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, NumpyKept)
        kind = "array" if fact.form == "array" else "scalar"
        yield Violation(
            fact.site,
            _CASES[fact.form],
            f"{quote(fact.site)} uses a NumPy {kind} created before tracing: strict export lifts it to an input that is "
            "never supplied",
            evidence=Evidence.DERIVED,
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.numbers.numpy_kept import as_buffer, as_python_number

        return as_python_number(context) or as_buffer(context)
