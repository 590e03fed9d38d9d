"""# check-message

## What it does
Finds `torch._check(condition, message)` and its kin where strict export is used: with a function for its message on a
symbolic value, and with a text for its message on any. A check without a message is not reported, nor is one with a
function whose condition is decided while tracing.

## Why export cannot do it
The message should be a function. Strict export adds it to the graph as an argument of the check, where a function is not
allowed, and stops with "'function' object has no attribute 'is_quantized'". What is no function it refuses at once ("Can't
extract message from torch._check*()"). Non-strict export keeps the check.

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

from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Called
from exportdb_rules.lattice import Partial, choices
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Const, Function, Static, Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


# Where the condition and the message stand among the arguments.
_PLACES: Final = {
    **dict.fromkeys(("_check", "_check_value", "_check_index", "_check_type", "_check_not_implemented"), (0, 1)),
    "_check_tensor_all": (0, 1),
    "_check_is_size": (0, 1),
    "_check_with": (1, 2),
}


class CheckMessage(Rule):
    """`torch._check` of a symbolic value has a message, or one that is no function."""

    code = "EDB107"
    name = "check-message"
    family = "control_flow"
    summary = "`torch._check` of a symbolic value has a message"
    facts = (Called,)
    cases = ("check_item_message", "check_shape_message", "check_text_message")
    calls = frozenset(f"torch.{name}" for name in _PLACES)

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, Called)
        short = fact.name.removeprefix("torch.")
        at, message = _PLACES[short]
        given = [*fact.arguments[message:], *(value for name, value in fact.keywords if name == "message")]
        if len(fact.arguments) <= at or len(given) != 1:
            return
        if type(given[0]) is Function:
            for value in choices(fact.arguments[at]):
                if type(value) is Sym:
                    case = "check_shape_message" if value.backed else "check_item_message"
                    text = f"Strict export cannot represent the message of {quote(fact.site)} in the graph: remove it"
                    yield Violation(fact.site, case, text, evidence=value.evidence, fixable=True)
                    return
        elif type(given[0]) in (Const, Static, Partial) and short != "_check_is_size":
            text = (
                f"Strict export takes no message but a function, such as a lambda: remove the one of {quote(fact.site)}"
            )
            yield Violation(fact.site, "check_text_message", text, fixable=short != "_check_tensor_all")

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.checks import message_left_out

        return message_left_out(context)
