"""# cond-branches-differ

## What it does
Finds branches of `torch.cond` whose outputs differ in structure, dtype, number of dimensions or strides, and outputs
that are None or Python floats.

## Why export cannot do it
The graph after the operator is the same for both branches, so their outputs must have the same metadata. Sizes may
differ from torch 2.13 on (they become unbacked); nothing else may.

## Example
```python
def forward(self, x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos().double(), (x,)) * 2
```

## Use instead
```python
def forward(self, x):
    return torch.cond(x.sum() > 0, lambda x: x.sin().double(), lambda x: x.cos().double(), (x,)) * 2
```

## Fix safety
`.contiguous()` on both outputs and removing an unused None are safe if the predicate is a tensor: torch rejects the
call as written. (For a Python bool, eager just calls the branch: unsafe.) Numbers become `torch.where`, which
returns a 0-dimensional tensor: unsafe. There is no fix if dtype, rank or structure differ: only you know which one is
meant.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB603` prints them.

## References
- ExportDB: `cond_operands`
- torch docs, "Control Flow - Cond"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.operators.outputs import difference, leaves, number, returned
from exportdb_rules.facts import Branched
from exportdb_rules.lattice import is_none
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Branch, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

# What they return lies in memory as its input does, seen from another side.
_TURNS = frozenset({"t", "transpose", "permute", "mT", "T", "swapaxes", "swapdims", "movedim", "moveaxis"})


class CondBranchesDiffer(Rule):
    """The branches of `torch.cond` return different structures, dtypes, ranks or strides."""

    code = "EDB603"
    name = "cond-branches-differ"
    family = "operators"
    summary = "The branches of `torch.cond` return different structures, dtypes, ranks or strides"
    facts = (Branched,)
    cases = (
        "cond_dtype_differs",
        "cond_rank_differs",
        "cond_tree_differs",
        "cond_none_output",
        "cond_float_output",
        "cond_stride_differs",
    )
    no_fix = NoFix.BRANCHES_DIFFER

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Branched)
        branches = [branch for branch in fact.branches if not branch.raises]
        if fact.operator != "cond" or not branches:
            return
        for branch in branches:
            for leaf in leaves(branch.result):
                if is_none(leaf):
                    yield Violation(fact.site, "cond_none_output", f"The {branch.role[:-3]} branch returns None: outputs of `torch.cond` must be tensors", fixable=True)  # fmt: skip
                    return
                if number(leaf) == "float":
                    yield Violation(fact.site, "cond_float_output", f"The {branch.role[:-3]} branch returns a Python float: outputs of `torch.cond` must be tensors", fixable=True)  # fmt: skip
                    return
        if len(branches) < 2:
            return
        found = difference(branches[0].result, branches[1].result)
        if found is not None:
            yield Violation(fact.site, found.case, f"Outputs of the `torch.cond` branches must match, but have {found.text}",
                         evidence=found.evidence)  # fmt: skip
        elif _turned(branches[0]) is not _turned(branches[1]) and None not in (
            _turned(branches[0]),
            _turned(branches[1]),
        ):
            yield Violation(fact.site, "cond_stride_differs", "Branch outputs have different strides: make both `.contiguous()`",
                         evidence=Evidence.DERIVED, fixable=True)  # fmt: skip

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.higher_order.cond_misuse import (
            none_left_out,
            number_to_where,
            strides_to_contiguous,
        )

        rewrites = {
            "cond_float_output": number_to_where,
            "cond_none_output": none_left_out,
            "cond_stride_differs": strides_to_contiguous,
        }
        rewrite = rewrites.get(context.finding.case)
        return rewrite(context) if rewrite is not None else ()


def _turned(branch: Branch) -> bool | None:
    """Whether a branch returns a tensor turned by its last step; None where that is not known."""
    values = list(returned(branch))
    if len(values) != 1:
        return None
    value = values[0]
    if isinstance(value, (ast.Tuple, ast.List, ast.Dict, ast.Name)):
        return None
    if isinstance(value, ast.Call):
        value = value.func
    return isinstance(value, ast.Attribute) and value.attr in _TURNS
