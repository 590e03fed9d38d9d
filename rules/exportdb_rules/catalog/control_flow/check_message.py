"""# check-message

## What it does
Finds `torch._check(condition, message)` on a symbolic value, where strict export is used. A check that is decided while
tracing is not reported, nor is a check without a message.

## Why export cannot do it
The message is a function. Strict export adds it to the graph as an argument of the check, where a function is not
allowed, and stops with "'function' object has no attribute 'is_quantized'". Non-strict export keeps the check.

## Example
```python
def forward(self, x, n):
    count = n.item()
    torch._check(count >= 1, lambda: "nothing to do")
    return x * count
```

## Use instead
```python
def forward(self, x, n):
    count = n.item()
    torch._check(count >= 1)
    return x * count
```

## Fix safety
Unsafe: eager raises without the message, or, with `torch._assert_scalar`, which keeps the message, always raises
RuntimeError.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB107` prints them.

## References
- torch docs, `torch._check`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Called
from exportdb_rules.lattice import choices
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Function, Sym

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


class CheckMessage(Rule):
    """`torch._check` of a symbolic value has a message."""

    code = "EDB107"
    name = "check-message"
    family = "control_flow"
    summary = "`torch._check` of a symbolic value has a message"
    facts = (Called,)
    cases = ("check_item_message", "check_shape_message")
    calls = ("torch._check",)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Called)
        if not fact.arguments:
            return
        given = [*fact.arguments[1:], *(value for name, value in fact.keywords if name == "message")]
        if not any(type(value) is Function for value in given):
            return
        for value in choices(fact.arguments[0]):
            if type(value) is Sym:
                case = "check_shape_message" if value.backed else "check_item_message"
                text = "Strict export cannot represent the message of `torch._check` in the graph: remove it"
                yield Violation(fact.site, case, text, evidence=value.evidence, fixable=True)
                return

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.checks import message_left_out

        return message_left_out(context)
