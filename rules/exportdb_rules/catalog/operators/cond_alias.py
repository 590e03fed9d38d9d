"""# cond-alias

## What it does
Finds branches of `torch.cond` that return an operand, a tensor of the enclosing scope, a buffer or a parameter, or a
view of one of these. Where gradients are switched off (`torch.no_grad()`), export accepts that.

## Why export cannot do it
Each branch becomes a graph of its own, and the outputs of the operator must not alias its inputs. Export rejects a
branch that returns one of them.

## Example
```python
def forward(self, x):
    return torch.cond(x.sum() > 0, lambda x: x, lambda x: x.cos(), (x,))
```

## Use instead
```python
def forward(self, x):
    return torch.cond(x.sum() > 0, lambda x: x.clone(), lambda x: x.cos(), (x,))
```

## Fix safety
Unsafe: the values are the same, but a later write to the result no longer changes the operand. Eager rejects the call as
written, except where gradients are disabled or the predicate is a Python bool.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB601` prints them.

## References
- ExportDB: `cond_operands`
- torch docs, "Control Flow - Cond"
- Graph break GB0040
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.operators.outputs import certainty, is_outside, leaves, parts, returned
from exportdb_rules.facts import Branched
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import OPERAND, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Branch, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class CondAlias(Rule):
    """A `torch.cond` branch returns an input or a view of one."""

    code = "EDB601"
    name = "cond-alias"
    family = "operators"
    summary = "A `torch.cond` branch returns an input or a view of one"
    facts = (Branched,)
    cases = ("cond_alias", "cond_view", "cond_closure_alias")

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Branched)
        if fact.operator != "cond" or not fact.grad:
            return  # with gradients switched off, branches may return what they were given (measured: cond_alias_no_grad_ok)
        for branch in fact.branches:
            if not any(is_outside(leaf) for leaf in leaves(branch.result)):
                continue
            evidence = certainty(branch)
            if not evidence:
                continue
            case, what = _case(branch, bool(fact.operands))
            yield Violation(
                fact.site,
                case,
                f"The {branch.role[:-3]} branch returns {what}: outputs of `torch.cond` must not alias its inputs, "
                "return a `.clone()`",
                evidence=evidence,
                fixable=True,
            )
            return

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        # What a branch writes is handed out of it, which a method cannot be changed for.
        from exportdb_rules.rewrite.higher_order.cond_misuse import alias_to_clone

        return alias_to_clone(context)


def _case(branch: Branch, has_operands: bool) -> tuple[str, str]:
    """The measured case, and what is returned."""
    plain = any(isinstance(node, ast.Name) for value in returned(branch) for node in parts(value))
    origins = {leaf.origin for leaf in leaves(branch.result) if type(leaf) is Tensor}
    if not plain:
        return "cond_view", "a view of an input"
    if has_operands and OPERAND in origins:
        return "cond_alias", "its operand unchanged"
    return "cond_closure_alias", "a tensor of the enclosing scope"
