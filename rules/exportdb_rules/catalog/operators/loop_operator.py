"""# loop-operator

## What it does
Finds bodies of `torch._higher_order_ops.while_loop` that mutate a carried tensor, that return one unchanged, or that
change its shape, dtype or structure.

## Why export cannot do it
The body is traced once and run any number of times: its outputs are the inputs of the next iteration, so both must have
the same metadata. Outputs must not alias inputs, and an in-place write would mutate a tensor of the surrounding graph.

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
A write to a carried tensor is redirected to a copy, and a tensor that is returned unchanged is cloned: safe, torch
rejects the call as written. There is no fix if the body changes a size.

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
    """`while_loop` body mutates a carried input or changes its metadata."""

    code = "EDB605"
    name = "loop-operator"
    family = "operators"
    summary = "`while_loop` body mutates a carried input or changes its metadata"
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
                        f"{quote(write.site)} mutates a carried input of the loop in place: return a new tensor",
                        sure=max(1, write.value.sure),
                        origin=write.site,
                        origin_note="mutated here",
                        fixable=True,
                    )
                    return
            if branch.role != "body_fn":
                continue
            if any(is_outside(leaf) for leaf in leaves(branch.result)) and (sure := certainty(branch)):
                text = "The body of `while_loop` returns an input or a view of one: its outputs must not alias its inputs, return a `.clone()`"  # fmt: skip
                yield Report(fact.site, "while_loop_alias", text, sure=sure, fixable=True)
                return
            found = difference(Sequence("tuple", list(fact.operands)), _as_tuple(branch))
            if found is not None and found.case != "cond_dtype_differs":
                text = f"Carried inputs of `while_loop` and outputs of its body do not match ({found.text})"
                yield Report(fact.site, "while_loop_shape_changes", text, sure=found.sure)
            elif (grown := _grown(branch)) is not None:
                text = f"The body of `while_loop` changes the size of the carried input `{grown}`"
                yield Report(fact.site, "while_loop_shape_changes", text, sure=1)

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.higher_order.cond_misuse import alias_to_clone, write_to_copy

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
