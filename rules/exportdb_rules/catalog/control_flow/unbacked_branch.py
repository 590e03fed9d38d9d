"""# unbacked-branch

## What it does
Finds branches on an unbacked SymInt: `t.item()`, an element of `t.tolist()`, a size of `t.nonzero()`, of `x[mask]` or
of `torch.unique(x)`. Reading such a number is fine, and so is using it as a size; branching on it fails.

## Why export cannot do it
While tracing, the number is a symbol without a hint. A comparison gives a SymBool, and branching on it in Python needs
a guard that cannot be evaluated.

## Example
```python
def forward(self, x, lengths):
    n = lengths.max().item()
    if n > 4:
        return x * 2
    return x
```

## Use instead
```python
def forward(self, x, lengths):
    n = lengths.max().item()
    return torch.cond(n > 4, lambda x: x * 2, lambda x: x.clone(), (x,))
```

## Fix safety
A test for an empty selection (`if index.numel() == 0: return x`) is removed if the code that it guards has no effect on an
empty selection: unsafe, since that code then runs on every call, and layers in it are called with no rows. A guard around
`F.pad`, around `torch.cat` with rows that are missing, and around `x = x[:k]` is removed, since they change nothing where the
size fits: safe. `n if n > 0 else 1` and `if a > 2.0: a = 2.0` become `torch.sym_max` and `torch.sym_min`: unsafe, of an int
and a float these make a float.

`torch._check(n > 4)` before the branch keeps one side and asserts the condition at run time: unsafe, since only you
know that the other side is never taken. `torch.cond` keeps both sides: unsafe, it is slower in eager. A loop that ends
with `if t.item() < 0.1: break` gets a flag and compares the tensor itself. A number that is used only in conditions and
in arithmetic with floating-point tensors stays the tensor it was read from.
A check that no runtime assertion expresses runs in eager only: unsafe, the exported program
accepts what eager rejects.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB103` prints them.

## References
- ExportDB: `cond_predicate`, `constrain_as_value_example`
- torch docs, "Dealing with GuardOnDataDependentSymNode errors"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.control_flow.guards import raises_only
from exportdb_rules.facts import TruthTested
from exportdb_rules.project import dotted
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class UnbackedBranch(Rule):
    """Python control flow depends on an unbacked SymInt."""

    code = "EDB103"
    name = "unbacked-branch"
    family = "control_flow"
    summary = "Python control flow depends on an unbacked SymInt"
    facts = (TruthTested,)
    cases = ("item_if", "masked_numel_if", "item_raise", "bool_of_item", "bool_call_if")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, TruthTested)
        value = fact.value
        if (
            type(value) is not Sym
            or value.backed
            or fact.form in ("assert", "max-float", "min-float", "several", "default")
        ):
            return
        guard = raises_only(fact.statement)
        case = "item_raise" if guard else ("masked_numel_if" if value.size else "item_if")
        if fact.form == "bool":
            case = "bool_of_item"
        elif (
            value.site is not None and isinstance(value.site.node, ast.Call) and dotted(value.site.node.func) == "bool"
        ):
            case = "bool_call_if"
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} needs a guard on an unbacked symbol: assert it with `torch._check` or use `torch.cond`",
            evidence=value.evidence,
            origin=value.site,
            fixable=True,
            strict_alone=case == "bool_call_if",
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.assume import assumptions
        from exportdb_rules.rewrite.branching.checks import raise_to_check
        from exportdb_rules.rewrite.branching.cond import branch_to_cond
        from exportdb_rules.rewrite.branching.item_elimination import number_to_tensor
        from exportdb_rules.rewrite.branching.needless import drop_guard
        from exportdb_rules.rewrite.branching.where import branch_to_where
        from exportdb_rules.rewrite.interface.eager_only import check_in_eager, eager_only
        from exportdb_rules.rewrite.looping.breaks import break_to_flag
        from exportdb_rules.rewrite.numbers.builtins import branch_to_extremum

        if context.finding.case == "bool_call_if":  # non-strict export does not get past the call
            return number_to_tensor(context)
        check = raise_to_check(context)
        others = (
            *eager_only(context),
            *drop_guard(context),
            *branch_to_extremum(context),
            *branch_to_where(context),
            *number_to_tensor(context),
            *branch_to_cond(context),
            *break_to_flag(context),
        )
        fixes = (*check, *others) or check_in_eager(context)
        return (*fixes, *(() if check else assumptions(context)))
