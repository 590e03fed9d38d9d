"""# tensor-branch

## What it does
Finds tensors that are asked for their truth: by `if`, `while`, `a if t else b`, `t and x`, `t or x`, `not t`, the
condition of a comprehension, a chained comparison, `match`, or `bool(t)`. A branch on a shape, on a configuration
value, on `None` or on `isinstance` is none of these and stays silent.

## Why export cannot do it
There is one trace, and while it is made the tensor has no value to choose by. Non-strict export raises
GuardOnDataDependentSymNode; strict export ends in graph break GB0170, data-dependent branching.

## Example
```python
def forward(self, x):
    if x.sum() > 0:
        return x.sin()
    return x.cos()
```

## Use instead
```python
def forward(self, x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))
```

## Fix safety
`torch.where` computes both sides, so it is offered where both are cheap and without side effects. `torch.cond` runs
one side only, but costs milliseconds a call in eager. Both are unsafe: the user decides. Rows that a list comprehension
keeps, and that are only stacked, are picked by a mask: unsafe, it computes the test for all rows at once.

A `break`, and a `return` of what is returned behind the loop, become a flag that the rounds ask for; what follows a
`continue` becomes the other side of its branch. A number that a branch adds to is a tensor from the start, unless it is
returned, or used as only a Python number can be. Whether two sides agree in dtype and shape is also told by the example
inputs that the text gives: for sizes at which they differ, `torch.cond` raises.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB101` prints them.

## References
- ExportDB: `dynamic_shape_if_guard`, `cond_operands`, `cond_predicate`
- Graph break GB0170
- torch.export programming model, "Control flow - static vs. dynamic"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.catalog.control_flow.guards import raises_only
from exportdb_rules.facts import TruthTested
from exportdb_rules.rewrite.branching.checks import raise_to_assert_async
from exportdb_rules.rewrite.branching.cond import branch_to_cond
from exportdb_rules.rewrite.branching.logic import truth_to_logic
from exportdb_rules.rewrite.branching.otherwise import last_raise_to_check
from exportdb_rules.rewrite.branching.where import branch_to_where
from exportdb_rules.rewrite.interface.eager_only import eager_only
from exportdb_rules.rewrite.looping.breaks import break_to_flag
from exportdb_rules.rewrite.looping.filtered import rows_to_mask
from exportdb_rules.rewrite.looping.loops import loop_to_while_loop
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import BUFFER, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_CASES = {
    "if": "tensor_if",
    "while": "tensor_while",
    "ternary": "tensor_ternary",
    "and": "tensor_and",
    "or": "tensor_or",
    "not": "tensor_not",
    "comprehension": "tensor_comprehension_if",
    "chain": "tensor_chained_compare",
    "bool": "tensor_bool_call",
    "match": "tensor_if",
}
_ACTIONS = {
    "while": "decide whether to go round again",
    "comprehension": "decide what to keep",
    "chain": "decide whether to go on comparing",
    "bool": "make a Python bool",
    "not": "negate it in Python",
}


class TensorBranch(Rule):
    """A tensor decides which way Python goes."""

    code = "EDB101"
    name = "tensor-branch"
    family = "control_flow"
    summary = "a tensor decides which way Python goes"
    facts = (TruthTested,)
    cases = (
        "tensor_if",
        "buffer_flag_if",
        "tensor_while",
        "tensor_ternary",
        "tensor_and",
        "tensor_or",
        "tensor_not",
        "tensor_comprehension_if",
        "tensor_chained_compare",
        "tensor_bool_call",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, TruthTested)
        value = fact.value
        case = _CASES.get(fact.form)
        if type(value) is not Tensor or case is None or raises_only(fact.statement):
            return
        if case == "tensor_if" and value.origin == BUFFER:
            case = "buffer_flag_if"
        yield Report(
            fact.site,
            case,
            f"{quote(fact.site)} is a tensor: export cannot {_ACTIONS.get(fact.form, 'choose a branch')} from its value",
            sure=value.sure,
            origin=value.site,
            fixable=fact.form != "match",
            parameter=value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        return (
            *raise_to_assert_async(context),
            *last_raise_to_check(context),
            *eager_only(context),
            *branch_to_where(context),
            *branch_to_cond(context),
            *loop_to_while_loop(context),
            *break_to_flag(context),
            *truth_to_logic(context),
            *rows_to_mask(context),
        )
