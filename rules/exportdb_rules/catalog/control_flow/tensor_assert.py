"""# tensor-assert

## What it does
Finds `assert` on a tensor value or on a number read from a tensor. An assert on a shape or on configuration is checked
while tracing and is not reported.

## Why export cannot do it
`assert t` converts the tensor to bool, as `if not t: raise` does. Strict export turns a plain `assert t` into a runtime
assertion; non-strict export runs the statement itself and fails.

## Example
```python
def forward(self, x):
    assert (x > 0).all(), "x must be positive"
    return x.log()
```

## Use instead
```python
def forward(self, x):
    torch._assert_async((x > 0).all(), "x must be positive")
    return x.log()
```

## Fix safety
Unsafe: eager raises RuntimeError instead of AssertionError. A check that no runtime assertion expresses runs in eager only:
unsafe, the exported program accepts what eager rejects.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB102` prints them.

## References
- torch.export tutorial, "Data-dependent errors"
- `torch._assert_async` keeps its message on every version measured
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Called, TruthTested
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_CHECKS: Final = {"torch._check": "check_tensor", "torch._assert": "torch_assert_tensor"}


class TensorAssert(Rule):
    """Python `assert` on a tensor value."""

    code = "EDB102"
    name = "tensor-assert"
    family = "control_flow"
    summary = "Python `assert` on a tensor value"
    facts = (TruthTested, Called)
    cases = (
        "tensor_assert",
        "tensor_assert_not",
        "tensor_assert_and",
        "tensor_assert_message",
        "item_assert",
        "item_assert_and",
        "item_assert_message",
        "item_assert_not",
        "item_assert_text",
        "check_tensor",
        "torch_assert_tensor",
        "torch_assert_item",
        "tensor_assert_captured",
    )
    calls = _CHECKS

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, Called):
            yield from _checked(fact)
            return
        assert isinstance(fact, TruthTested)
        if fact.form != "assert" or not isinstance(fact.statement, ast.Assert):
            return
        value = fact.value
        if type(value) is Sym and value.backed:
            return
        yield Violation(
            fact.site,
            _case(fact.statement, fact.site.node, value),
            f"Data-dependent assert: the value of {quote(fact.site)} is unknown while tracing",
            evidence=value.evidence,
            origin=value.site,
            fixable=True,
            parameter=value.param if type(value) is Tensor else None,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.checks import assert_to_assert_async, raise_to_check
        from exportdb_rules.rewrite.interface.eager_only import check_in_eager

        return (*assert_to_assert_async(context), *raise_to_check(context)) or check_in_eager(context)


def _case(statement: ast.Assert, asked: ast.AST, value: Tensor | Sym) -> str:
    """The measured case of an assert: export defers what decides it at last, and cares for how the message is made."""
    kind = "tensor_assert" if type(value) is Tensor else "item_assert"
    if statement.msg is not None and not _is_constant_text(statement.msg):
        return f"{kind}_message"
    if _is_negated(statement.test, asked):
        return f"{kind}_not"
    if isinstance(statement.test, ast.BoolOp) and not _is_last(statement.test, asked):
        return f"{kind}_and"
    return f"{kind}_text" if type(value) is Sym and statement.msg is not None else kind


def _is_negated(test: ast.expr, asked: ast.AST) -> bool:
    """Whether an operand of a condition stands under `not`."""
    return any(
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.Not)
        and any(n is asked for n in ast.walk(node.operand))
        for node in ast.walk(test)
    )


def _is_last(test: ast.expr, asked: ast.AST) -> bool:
    """Whether an operand is the last one that a condition asks."""
    while isinstance(test, ast.BoolOp):
        test = test.values[-1]
    return test is asked


def _is_constant_text(message: ast.expr) -> bool:
    """Whether Python compiles a message to a constant text."""
    if isinstance(message, ast.JoinedStr):
        return all(isinstance(part, ast.Constant) for part in message.values)
    return isinstance(message, ast.Constant) and isinstance(message.value, str)


def _checked(fact: Called) -> Iterable[Violation]:
    """`torch._check(t)` and `torch._assert(t)`, which want a bool."""
    value = fact.arguments[0] if fact.arguments else None
    if type(value) is Sym and not value.backed and fact.name == "torch._assert":
        yield Violation(
            fact.site,
            "torch_assert_item",
            f"{quote(fact.site)} converts a data-dependent comparison to bool: use `torch._check`",
            evidence=value.evidence,
            origin=value.site,
            fixable=True,
        )
    if type(value) is Tensor and not value.constant:
        yield Violation(
            fact.site,
            _CHECKS[fact.name],
            f"`{fact.name}` takes a bool, but its condition is a tensor: use `torch._assert_async`",
            evidence=value.evidence,
            fixable=True,
            parameter=value.param,
        )
