"""# shape-rounding

## What it does
Finds `round` of a dynamic size. Static sizes are not reported, nor are `math.floor`, `math.ceil` and `math.trunc`, whose
results are sizes that EDB305 and EDB308 follow to where a guard is made.

## Why export cannot do it
The rounding itself is supported. Its result is used as a size or a bound, and the resulting guards do not hold over the
whole range of a named `Dim`. With `Dim.DYNAMIC` or `Dim.AUTO` the same code exports. `round(n, -1)` exports and
computes wrong numbers.

## Example
```python
def forward(self, x):          # dynamic_shapes={"x": {0: Dim("b")}}
    return x[: round(x.shape[0] / 2)]
```

## Use instead
```python
def forward(self, x):          # dynamic_shapes={"x": {0: Dim.DYNAMIC}}
    return x[: round(x.shape[0] / 2)]
```

## Fix safety
`round(n, -1)` in integer arithmetic is safe. `Dim.DYNAMIC` instead of a named Dim does not change eager but is unsafe:
the exported program may accept fewer sizes than the name declares.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB301` prints them.

## References
- ExportDB: `dynamic_shape_round`
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.facts import Converted
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class ShapeRounding(Rule):
    """A dynamic size is rounded."""

    code = "EDB301"
    name = "shape-rounding"
    family = "dynamic_shape"
    summary = "A dynamic size is rounded"
    facts = (Converted,)
    cases = ("round_named", "round_dynamic_ok", "round_digits")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Converted)
        value = fact.value
        if type(value) is not Sym or not value.backed or fact.target != "round":
            return
        node = fact.site.node
        case = "round"
        if isinstance(node, ast.Call) and len(node.args) + len(node.keywords) > 1:
            case = "round_digits"
        yield Violation(
            fact.site,
            context.sized(case),
            f"{quote(fact.site)} rounds a dynamic size: guards on the result do not hold over the whole range of a named dimension",
            # Whether a guard is put on what comes of it, its use decides: `F.pad` and a factor put none.
            evidence=value.evidence if case == "round_digits" else min(Evidence.DERIVED, value.evidence),
            fixable=True,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.interface.dims import named_to_dynamic
        from exportdb_rules.rewrite.numbers.sizes import round_digits_to_integers

        return (*round_digits_to_integers(context), *named_to_dynamic(context))
