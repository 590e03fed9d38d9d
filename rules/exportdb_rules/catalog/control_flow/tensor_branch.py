"""# tensor-branch

## What it does
Finds tensors that Python converts to bool: in `if`, `while`, `a if t else b`, `t and x`, `t or x`, `not t`, the
condition of a comprehension, a chained comparison, `match`, or `bool(t)`. A branch on a shape, on a configuration
value, on `None` or on `isinstance` is not reported. For strict export, a tensor that is made of plain numbers while
tracing is one as well. A random transform of torchvision or torchaudio (`RandomHorizontalFlip`,
`ColorJitter`, `GaussianBlur`, `TimeMasking`, …) branches on a number that it draws, in eval mode as well.

## Why export cannot do it
Export records a single trace, and a tensor has no value while tracing. Non-strict export raises
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
`if mask.any(): x[mask] = 0` needs no branch: what writes to, fills or sums only what the mask selects has no effect where
it selects nothing. The guard is removed; unsafe, since the body then runs on every call. So is `if not mask.any(): mask = None`,
if all that reads the mask later treats one that is False everywhere as it treats None; the title says so where that is unknown.

`torch.where` computes both sides, so it is offered if both are cheap and have no side effects. `torch.cond` runs only
one side, but costs milliseconds per call in eager. Both are unsafe. A guarded division or product selects the factor
(`x / torch.where(norm > 0, norm, 1)`), and a side that divides by what the condition compares with zero divides by
`n.clamp(min=1)`, so that no gradient is NaN. There is no fix for the filter of a comprehension: select the rows with a mask
(`x[x.sum(1) > 0]`).

A `break`, and a `return` of the value that is returned after the loop, become a flag that guards the remaining
iterations; the code after a `continue` becomes the other side of its branch. A number that a branch adds to becomes a
tensor from the start, unless it is returned or used where only a Python number is valid. The example inputs in the file
also help to decide whether both sides agree in dtype and shape: for sizes at which they differ, `torch.cond` raises.
A check that no runtime assertion expresses runs in eager only: unsafe, the exported program
accepts what eager rejects.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB101` prints them.

## References
- ExportDB: `dynamic_shape_if_guard`, `cond_operands`, `cond_predicate`
- Graph break GB0170
- torch.export programming model, "Control flow - static vs. dynamic"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.catalog.control_flow.guards import raises_only
from exportdb_rules.facts import TruthTested
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import BUFFER, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact, TruthForm
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_CASES: Final[dict[TruthForm, str]] = {
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
    "constant": "constant_tensor_if",
    "transform": "tensor_if",
    "one-deviation": "constant_tensor_if",
}
_MESSAGES: Final[dict[TruthForm, str]] = {
    "while": "Data-dependent `while` condition: {} is a tensor, whose value is unknown while tracing",
    "comprehension": "Data-dependent filter: the value of {} is unknown while tracing",
    "chain": "Chained comparison short-circuits on a tensor: the value of {} is unknown while tracing",
    "bool": "{} converts a tensor to bool, but its value is unknown while tracing",
    "transform": "{} draws a number and branches on it: its value is unknown while tracing",
    "one-deviation": "{} converts a tensor to bool, whether its standard deviation is 0, which strict export cannot read back: `torchvision.transforms.v2.Normalize` has no such check",
    "not": "`not` converts a tensor to bool, but the value of {} is unknown while tracing",
    "constant": "Branch on {}, a tensor created from Python numbers, which strict export cannot read back: test the numbers instead",
}
_BRANCH = "Data-dependent branch: the value of {} is unknown while tracing"


class TensorBranch(Rule):
    """Python control flow depends on a tensor value."""

    code = "EDB101"
    name = "tensor-branch"
    family = "control_flow"
    summary = "Python control flow depends on a tensor value"
    facts = (TruthTested,)
    cases = (
        "tensor_if",
        "backward_branch",
        "buffer_flag_if",
        "tensor_while",
        "tensor_ternary",
        "tensor_and",
        "tensor_or",
        "tensor_not",
        "tensor_comprehension_if",
        "tensor_chained_compare",
        "tensor_bool_call",
        "constant_tensor_if",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, TruthTested)
        value = fact.value
        case = _CASES.get(fact.form)
        if type(value) is not Tensor or case is None or (fact.form != "constant" and raises_only(fact.statement)):
            return
        if case == "tensor_if" and value.origin == BUFFER:
            case = "buffer_flag_if"
        yield Violation(
            fact.site,
            case,
            _MESSAGES.get(fact.form, _BRANCH).format(quote(fact.site)),
            evidence=value.evidence,
            origin=value.site,
            fixable=fact.form not in ("match", "constant", "transform", "one-deviation"),
            parameter=value.param,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.checks import raise_to_assert_async
        from exportdb_rules.rewrite.branching.cond import branch_to_cond
        from exportdb_rules.rewrite.branching.logic import truth_to_logic
        from exportdb_rules.rewrite.branching.needless import drop_guard
        from exportdb_rules.rewrite.branching.where import branch_to_where
        from exportdb_rules.rewrite.interface.eager_only import check_in_eager, eager_only
        from exportdb_rules.rewrite.looping.breaks import break_to_flag
        from exportdb_rules.rewrite.looping.loops import loop_to_while_loop

        fixes = (
            *raise_to_assert_async(context),
            *eager_only(context),
            *drop_guard(context),
            *branch_to_where(context),
            *branch_to_cond(context),
            *loop_to_while_loop(context),
            *break_to_flag(context),
            *truth_to_logic(context),
        )
        return fixes or check_in_eager(context, asserts=False)
