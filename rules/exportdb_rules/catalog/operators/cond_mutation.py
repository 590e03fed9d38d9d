"""# cond-mutation

## What it does
Finds side effects in branches of `torch.cond`: in-place writes to an operand, to a tensor of the enclosing scope or to
a buffer, assignments to an attribute of the module or to a `nonlocal` or `global` name, mutations of a list or dict,
updates of the running statistics of a BatchNorm in training mode, and branches that only raise.

## Why export cannot do it
A branch becomes a function from tensors to tensors. A write in it would happen in one branch only, which the
surrounding graph cannot represent.

## Example
```python
def forward(self, x):
    def double(x):
        x.mul_(2)
        return x.sin()

    return torch.cond(x.sum() > 0, double, lambda x: x.cos(), (x,))
```

## Use instead
```python
def forward(self, x):
    def double(x):
        return (x * 2).sin()

    return torch.cond(x.sum() > 0, double, lambda x: x.cos(), (x,))
```

Return the new value from both branches and write it after the call.

## Fix safety
A write to an operand that is not read afterwards is redirected to a copy; a write to any other operand or to a buffer
becomes an output of both branches that is copied back after the call. Both are safe if the predicate is a tensor:
torch rejects the call as written. For a Python bool, eager just calls the branch: unsafe. A branch that only raises
becomes `torch._assert_async` before the other one: unsafe, the exception is RuntimeError. There is no fix for a batch
normalization that updates its statistics.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB604` prints them.

## References
- torch docs, "Control Flow - Cond"
- Graph break GB0040
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.operators.outputs import assigned
from exportdb_rules.facts import AttributeWritten, Branched, Called, ContainerWritten, GlobalWritten, TensorWritten
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import BUFFER, PARAMETER, Evidence, Function, Site
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Branch, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class CondMutation(Rule):
    """A `torch.cond` branch has a side effect."""

    code = "EDB604"
    name = "cond-mutation"
    family = "operators"
    summary = "A `torch.cond` branch has a side effect"
    facts = (Branched,)
    cases = (
        "cond_input_mutation",
        "cond_buffer_mutation",
        "cond_attribute_mutation",
        "cond_list_append",
        "cond_nonlocal_write",
        "cond_batchnorm",
        "cond_branch_raises",
    )

    no_fix = NoFix.SIDE_EFFECT

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Branched)
        if fact.operator != "cond":
            return
        for branch in fact.branches:
            found = _raised(branch) if branch.raises else _written(branch, fact)
            if found is not None:
                yield found
                return

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.higher_order.cond_misuse import raise_to_check, write_to_copy
        from exportdb_rules.rewrite.higher_order.cond_writes import write_to_result

        if context.finding.case == "cond_branch_raises":
            return raise_to_check(context)
        return write_to_copy(context, "cond") or write_to_result(context)


def _raised(branch: Branch) -> Violation | None:
    function = branch.function
    if type(function) is not Function:
        return None
    for node in ast.walk(function.info.node):
        if isinstance(node, ast.Raise):
            site = Site(function.info.module, node)
            return Violation(site, "cond_branch_raises", "A `torch.cond` branch that only raises has no output: check the condition with `torch._check` or `torch._assert_async` before the call", fixable=True)  # fmt: skip
    return None


def _written(branch: Branch, fact: Branched) -> Violation | None:
    role = branch.role[:-3]
    for write in branch.writes:
        if isinstance(write, TensorWritten):
            held = write.value.origin in (BUFFER, PARAMETER)
            case = "cond_buffer_mutation" if held else "cond_input_mutation"
            return _report(
                fact,
                write,
                case,
                f"The {role} branch mutates a tensor in place: {quote(write.site)}",
                write.value.evidence,
            )
        if isinstance(write, AttributeWritten):
            return _report(
                fact, write, "cond_attribute_mutation", f"The {role} branch assigns an attribute: {quote(write.site)}"
            )
        if isinstance(write, ContainerWritten):
            return _report(fact, write, "cond_list_append", f"The {role} branch mutates `{write.owner.name}`")
        if isinstance(write, GlobalWritten):
            return _report(
                fact, write, "cond_nonlocal_write", f"The {role} branch assigns `{write.name}`, which outlives it"
            )
        if isinstance(write, Called) and fact.training:
            return _report(fact, write, "cond_batchnorm", f"The {role} branch updates the statistics of a BatchNorm in training mode: {quote(write.site)}", Evidence.DERIVED)  # fmt: skip
    if branch.resized:
        site = _change_of(branch, branch.resized[0]) or fact.site
        return Violation(site, "cond_list_append", f"The {role} branch mutates `{branch.resized[0]}`; {_REASON}")
    if branch.rebound:
        text = f"The {role} branch assigns `{branch.rebound[0]}` of the enclosing function; {_REASON}"
        return Violation(assigned(branch, branch.rebound[0]) or fact.site, "cond_nonlocal_write", text)
    return None


def _change_of(branch: Branch, name: str) -> Site | None:
    """The first expression of a branch that calls a method of the container, or gives it an item."""
    function = branch.function
    if type(function) is not Function:
        return None
    for node in ast.walk(function.info.node):
        inner = node.func if isinstance(node, ast.Call) else node
        stored = isinstance(inner, ast.Subscript) and not isinstance(inner.ctx, ast.Load)
        if not isinstance(inner, (ast.Attribute, ast.Subscript)) or (inner is node and not stored):
            continue
        if isinstance(inner.value, ast.Name) and inner.value.id == name:
            return Site(function.info.module, node)
    return None


_REASON = "return the new value from both branches instead"


def _report(fact: Branched, write: Fact, case: str, text: str, evidence: Evidence = Evidence.OBSERVED) -> Violation:
    return Violation(
        fact.site,
        case,
        f"{text}; {_REASON}",
        evidence=max(Evidence.DERIVED, evidence),
        origin=write.site,
        origin_note="mutated here",
        fixable=case in ("cond_input_mutation", "cond_buffer_mutation"),
    )
