"""# byte-mask

## What it does
Finds tensors of dtype uint8 that are an index (`x[mask]`) or the condition of `torch.where`.

## Why export cannot do it
Eager still takes a tensor of uint8 for a mask, as before torch 1.2, and warns. Fake tensors do not: they accept masks of
dtype bool alone.

## Example
```python
def forward(self, x):
    mask = (x > 0).byte()
    return torch.where(mask, x, x * 0.1)
```

## Use instead
```python
def forward(self, x):
    mask = x > 0
    return torch.where(mask, x, x * 0.1)
```

## Fix safety
Safe: `.bool()` of a mask of uint8 is the mask that eager takes it for. There is no fix where the index may be something
else on another path.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB211` prints them.

## References
- torch 1.2 release notes, "Masking via torch.uint8 Tensors is now deprecated in favor of masking via torch.bool Tensors"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Called
from exportdb_rules.interpreter.byte_masks import BYTE_CONDITION, BYTE_INDEX
from exportdb_rules.lattice import tensors
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

_CASES: Final = {
    BYTE_INDEX: ("byte_mask_index", "an index"),
    BYTE_CONDITION: ("byte_mask_where", "the condition of `torch.where`"),
}


class ByteMask(Rule):
    """A mask of dtype uint8."""

    code = "EDB211"
    name = "byte-mask"
    family = "dynamic_value"
    summary = "A mask of dtype uint8"
    facts = (Called,)
    cases = ("byte_mask_where", "byte_mask_index")
    calls = _CASES

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Called)
        case, what = _CASES[fact.name]
        mask = fact.arguments[0]
        alone = type(mask) is Tensor
        least = min(tensor.evidence for tensor in tensors(mask))
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} is {what} with dtype uint8, which fake tensors do not accept: use a mask of dtype bool",
            evidence=least if alone else min(Evidence.DERIVED, least),
            fixable=alone,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.numbers.conversion import mask_to_bool

        return mask_to_bool(context)
