"""# loop-operator

## What it does
Finds bodies of `torch._higher_order_ops.while_loop` that write what they carry in place, that hand on a tensor as they got
it, and that return it in another shape, dtype or structure.

## Why export cannot do it
The body is traced once and run any number of times: what comes out of one round goes into the next, so it must look
the same. A write in place would change a tensor of the graph around. What comes out may not share storage with what went
in.

## Example
```python
def forward(self, x):
    (y,) = while_loop(lambda y: y.shape[0] < 8, lambda y: (torch.cat([y, y]),), (x,))
    return y
```

## Use instead
```python
def forward(self, x):
    i = torch.zeros((), dtype=torch.int64)
    _, y = while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), (i, x))
    return y
```

## Fix safety
A write to what the loop carries becomes one to a copy, and a tensor that is handed on is cloned: safe, torch refuses the
call as it is. No fix is offered where the body changes a size.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB605` prints them.

## References
- torch docs, "Control Flow - While Loop"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.operators.outputs import certainty, difference, is_outside, leaves, parts, returned
from exportdb_rules.facts import Branched, TensorWritten
from exportdb_rules.joins import Sequence
from exportdb_rules.rewrite.higher_order.cond_misuse import alias_to_clone, write_to_copy
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.values import Function
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Branch, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

_GROWING = frozenset({"cat", "concat", "concatenate", "stack", "hstack", "vstack", "repeat"})


class LoopOperator(Rule):
    """The body of a while_loop changes what it carries."""

    code = "EDB605"
    name = "loop-operator"
    family = "operators"
    summary = "the body of a while_loop changes what it carries"
    facts = (Branched,)
    cases = ("while_loop_mutation", "while_loop_shape_changes", "while_loop_alias")

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        assert isinstance(fact, Branched)
        if fact.operator != "while_loop":
            return
        for branch in fact.branches:
            for write in branch.writes:
                if isinstance(write, TensorWritten):
                    yield Report(
                        fact.site,
                        "while_loop_mutation",
                        f"{quote(write.site)} writes what the loop carries in place: return a new tensor",
                        sure=max(1, write.value.sure),
                        origin=write.site,
                        origin_note="it is written here",
                        fixable=True,
                    )
                    return
            if branch.role != "body_fn":
                continue
            if any(is_outside(leaf) for leaf in leaves(branch.result)) and (sure := certainty(branch)):
                text = "the body of the loop returns a tensor that it was given: what comes out of a round may not share storage with what goes in, so return a `.clone()`"  # fmt: skip
                yield Report(fact.site, "while_loop_alias", text, sure=sure, fixable=True)
                return
            found = difference(Sequence("tuple", list(fact.operands)), _as_tuple(branch))
            if found is not None and found.case != "cond_dtype_differs":
                text = f"what goes into the loop and what its body returns are not alike ({found.text})"
                yield Report(fact.site, "while_loop_shape_changes", text, sure=found.sure)
            elif (grown := _grown(branch)) is not None:
                text = f"the loop carries `{grown}`, and its body returns it with another size"
                yield Report(fact.site, "while_loop_shape_changes", text, sure=1)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        if context.finding.case == "while_loop_alias":
            return alias_to_clone(context, "while_loop")
        return write_to_copy(context, "while_loop")


def _as_tuple(branch: Branch) -> Sequence:
    result = branch.result
    if isinstance(result, Sequence) and result.type == "list":
        return Sequence("tuple", result.items, result.element)
    return result if isinstance(result, Sequence) else Sequence("tuple", None, None)


def _grown(branch: Branch) -> str | None:
    """The parameter that the body returns joined with something."""
    function = branch.function
    if type(function) is not Function:
        return None
    names = {arg.arg for arg in function.info.node.args.args}
    for value in returned(branch):
        for part in parts(value):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _GROWING:
                for node in ast.walk(part):
                    if isinstance(node, ast.Name) and node.id in names:
                        return node.id
    return None
