"""# cond-operand

## What it does
Finds numbers, strings and None among the operands of `torch.cond`, and branches that take another number of arguments
than there are operands, and branches that close over a tensor value read as a number (for non-strict export).

## Why export cannot do it
Operands become inputs of the branch graphs, which must be tensors or symbolic sizes. Non-strict export passes the
operands unchanged and is rejected. Both branches are called on all operands.

## Example
```python
def forward(self, x):
    return torch.cond(x.sum() > 0, lambda x, n: x * n, lambda x, n: x + n, (x, 2))
```

## Use instead
```python
def forward(self, x):
    n = 2
    return torch.cond(x.sum() > 0, lambda x: x * n, lambda x: x + n, (x,))
```

## Fix safety
Safe if the predicate is a tensor: torch rejects the call as written, in eager too, and every number is a literal or a
name that the branches can close over. There is no fix for branches that are methods or module-level functions, nor for a
wrong number of operands.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB602` prints them.

## References
- ExportDB: `cond_operands`
- torch docs, "Control Flow - Cond"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.operators.outputs import wrong_count
from exportdb_rules.facts import Branched
from exportdb_rules.lattice import choices, is_none
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Const, Evidence, Static, Value
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class CondOperand(Rule):
    """An operand of `torch.cond` is not a tensor, or a branch takes another number of operands."""

    code = "EDB602"
    name = "cond-operand"
    family = "operators"
    summary = "An operand of `torch.cond` is not a tensor, or a branch takes another number of operands"
    facts = (Branched,)
    cases = ("cond_int_operand", "cond_none_operand", "cond_operand_count", "cond_number_closed_over")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Branched)
        if fact.operator != "cond":
            return
        for operand in fact.operands:
            kind, evidence = _plain(operand)
            if not kind:
                continue
            yield Violation(
                fact.site,
                "cond_none_operand" if kind == "None" else "cond_int_operand",
                f"{kind} is an operand of `torch.cond`, which accepts only tensors: let the branches close over it",
                evidence=evidence,
                fixable=True,
            )
            return
        number = next((site for branch in fact.branches for site in branch.numbers), None)
        if number is not None:
            yield Violation(
                number,
                "cond_number_closed_over",
                f"{quote(number)} is an unbacked number, which a branch of `torch.cond` cannot close over in "
                "non-strict export: pass the tensor as an operand",
                fixable=True,
            )
        wrong = wrong_count(fact)
        if wrong is not None:
            branch, text = wrong
            yield Violation(fact.site, "cond_operand_count", f"The {branch.role[:-3]} branch of `torch.cond` {text}")

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.item_elimination import closed_number_to_tensor
        from exportdb_rules.rewrite.higher_order.cond_misuse import operand_to_closure

        if context.finding.case == "cond_number_closed_over":
            return closed_number_to_tensor(context)
        return operand_to_closure(context)


def _plain(operand: Value) -> tuple[str, Evidence]:
    """What an operand is if it is no tensor, and what shows that; '' if it may be passed."""
    if is_none(operand):
        return "None", Evidence.OBSERVED
    if any(is_none(choice) for choice in choices(operand)):
        return "None", Evidence.DERIVED  # a parameter whose default is None
    if isinstance(operand, Const) and operand.value is not ...:
        return f"The {type(operand.value).__name__} {operand.value!r}", Evidence.OBSERVED
    if isinstance(operand, Static) and operand.type in ("int", "float", "bool", "str"):
        return f"A {operand.type}", Evidence.OBSERVED
    return "", Evidence.ASSUMED
