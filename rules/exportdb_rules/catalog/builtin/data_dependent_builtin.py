"""# data-dependent-builtin

## What it does
Finds builtins and library calls that convert a tensor to bool internally: `any()`, `all()`, `in`, `sorted()`,
`filter()`, `max(t, 4)`, `min(1.0, t.item())`, `torch.equal`, `torch.allclose`, what `torch.distributions` validates,
which are the arguments of a distribution and the value passed to `log_prob` or `cdf`, and a mask that a transformer of
`torch.nn` compares with a causal one for lack of an `is_causal`; `max(t)` over the elements of one tensor, which
non-strict export takes for `torch.maximum`; and `max(a, b, c)`, `max(t, n.item())` and `max(values, default=0)`, which it leaves
to Python's own comparison.

## Why export cannot do it
Each of them branches in Python on a tensor value, or returns a Python bool that depends on one. Tensor values are
unknown while tracing.

## Example
```python
def forward(self, xs):
    if any(v > 0 for v in xs):
        return xs.sin()
    return xs
```

## Use instead
```python
def forward(self, xs):
    return torch.where((xs > 0).any(), xs.sin(), xs)
```

## Fix safety
A call whose result is used as a condition is rewritten together with the branch, check or loop that uses it. A
distribution with known parameters and support is created with `validate_args=False`, and its checks become runtime
assertions: unsafe, invalid arguments no longer raise ValueError. If the distribution is passed on, only its parameters
are checked; other distributions, and those that the constructor made, are not validated at all: unsafe as well.
`max([a, b, c])` for `max(a, b, c)` is safe.
`torch.sym_min` for `min` of unbacked SymFloats makes a float of an int among them, and `t.max()` for `max(t)` gives a NaN that
Python's comparison may pass over: unsafe.
`is_causal=False` is passed to a transformer: it applies the mask either way, but another kernel may differ in the last
digits: unsafe.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB105` prints them.

## References
- Graph break GB0170
- torch docs, "Dealing with GuardOnDataDependentSymNode errors"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import DataRead, TruthTested
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact, TruthForm
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_CASES: Final[dict[TruthForm, str]] = {
    "any": "any_of_tensors",
    "all": "all_of_tensors",
    "in": "tensor_in",
    "sorted": "sorted_tensors",
    "sort": "sorted_tensors",
    "key": "sorted_tensors",
    "filter": "filter_tensors",
    "validation": "distribution_validation",
    "nested-validation": "distribution_nested",
    "validated-value": "distribution_kept",
    "is_causal": "mask_is_causal",
    "src_is_causal": "src_mask_is_causal",
    "tgt_is_causal": "tgt_mask_is_causal",
    "max-mixed": "max_tensor_number",
    "min-mixed": "max_tensor_number",
    "max-float": "max_float_item",
    "min-float": "max_float_item",
    "one": "max_over_tensor",
    "several": "max_three_items",
    "tensor-item": "max_tensor_item",
    "default": "max_default",
    "in-itself": "tensor_in_own_list",
}
_CAUSAL: Final[tuple[TruthForm, ...]] = ("is_causal", "src_is_causal", "tgt_is_causal")
_WHY: Final[dict[TruthForm, str]] = {
    "any": "converts each tensor to bool, but its value is unknown while tracing",
    "all": "converts each tensor to bool, but its value is unknown while tracing",
    "in": "compares tensors and converts the result to bool, but its value is unknown while tracing",
    "sorted": "sorts by tensor values, which are unknown while tracing",
    "sort": "sorts by tensor values, which are unknown while tracing",
    "key": "compares tensor values, which are unknown while tracing",
    "filter": "filters by tensor values, which are unknown while tracing",
    "validation": "validates tensor values, which are unknown while tracing (see `validate_args=False`)",
    "nested-validation": "creates another distribution, which validates tensor values even with `validate_args=False`: they are unknown while tracing",
    "validated-value": "validates its argument, whose values are unknown while tracing (make the distribution with `validate_args=False`)",
    **{
        form: f"compares the mask with a causal one, but its values are unknown while tracing (pass `{form}`)"
        for form in _CAUSAL
    },
    **dict.fromkeys(("max-float", "min-float"), "compares a float read from a tensor, which is unknown while tracing"),
    "several": "compares its arguments one by one, which are unknown while tracing: pass one list",
    "tensor-item": "compares a tensor with a symbolic number and converts the result to bool, but its value is unknown while tracing",
    "default": "compares its elements, which are unknown while tracing: leave out `default`",
    "one": "iterates over a tensor, which `max` and `min` do not support while tracing: use the tensor's own method",
    "in-itself": "compares a tensor with itself: strict export does not test for identity first",
    "max-mixed": "compares a tensor with a number and converts the result to bool, but its value is unknown while tracing",
    "min-mixed": "compares a tensor with a number and converts the result to bool, but its value is unknown while tracing",
}


class DataDependentBuiltin(Rule):
    """A builtin converts a tensor to bool."""

    code = "EDB105"
    name = "data-dependent-builtin"
    family = "builtin"
    summary = "A builtin converts a tensor to bool"
    facts = (
        TruthTested,
        DataRead,
    )
    cases = (
        "all_of_tensors",
        "any_of_tensors",
        "tensor_in",
        "sorted_tensors",
        "filter_tensors",
        "torch_equal",
        "torch_allclose",
        "is_nonzero",
        "one_hot_classes",
        "distribution_validation",
        "distribution_nested",
        "distribution_kept",
        "mask_is_causal",
        "src_mask_is_causal",
        "tgt_mask_is_causal",
        "max_tensor_number",
        "max_float_item",
        "tensor_in_own_list",
        "max_over_tensor",
        "max_three_items",
        "max_tensor_item",
        "max_default",
        "distribution_validation_captured",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, DataRead):
            case = {"equal": "torch_equal", "allclose": "torch_allclose", "is_nonzero": "is_nonzero"}.get(
                fact.operation
            )
            if fact.operation == "one_hot":
                text = f"{quote(fact.site)} infers the number of classes from tensor values: pass `num_classes`"
                yield Violation(
                    fact.site,
                    "one_hot_classes",
                    text,
                    evidence=max(Evidence.DERIVED, fact.value.evidence),
                    fixable=True,
                )
            if case is not None:
                yield Violation(
                    fact.site,
                    case,
                    f"{quote(fact.site)} returns a Python bool that depends on tensor values, which are unknown while tracing",
                    evidence=max(Evidence.DERIVED, fact.value.evidence),
                    fixable=True,
                )
            return
        assert isinstance(fact, TruthTested)
        case = _CASES.get(fact.form)
        value = fact.value
        if case is None or (type(value) is Sym and value.backed):
            return
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} {_WHY[fact.form]}",
            evidence=value.evidence,
            origin=value.site,
            fixable=fact.form not in ("key", "sorted", "sort", "filter", "nested-validation"),
            parameter=value.param if type(value) is Tensor else None,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.checks import assert_to_assert_async, raise_to_assert_async
        from exportdb_rules.rewrite.branching.cond import branch_to_cond
        from exportdb_rules.rewrite.branching.logic import truth_to_logic
        from exportdb_rules.rewrite.branching.where import branch_to_where
        from exportdb_rules.rewrite.equivalents.distribution import distribution_checked, distribution_made_elsewhere
        from exportdb_rules.rewrite.equivalents.masks import causality_said
        from exportdb_rules.rewrite.interface.eager_only import eager_only
        from exportdb_rules.rewrite.looping.breaks import break_to_flag
        from exportdb_rules.rewrite.looping.loops import loop_to_while_loop
        from exportdb_rules.rewrite.numbers.builtins import (
            extremum_of_list,
            extremum_of_tensor,
            extremum_to_symbolic,
        )
        from exportdb_rules.rewrite.numbers.one_hot import one_hot_of_labels

        rewrites = {
            "max_float_item": extremum_to_symbolic,
            "max_over_tensor": extremum_of_tensor,
            "max_three_items": extremum_of_list,
            "distribution_validation": distribution_checked,
            "distribution_kept": distribution_made_elsewhere,
            **dict.fromkeys((_CASES[form] for form in _CAUSAL), causality_said),
            "one_hot_classes": one_hot_of_labels,
        }
        special = rewrites.get(context.finding.case)
        if special is not None:
            return special(context)
        return (
            *raise_to_assert_async(context),
            *assert_to_assert_async(context),
            *eager_only(context),
            *branch_to_where(context),
            *branch_to_cond(context),
            *loop_to_while_loop(context),
            *break_to_flag(context),
            *truth_to_logic(context),
        )
