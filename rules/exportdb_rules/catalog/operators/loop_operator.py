"""# loop-operator

## What it does
Finds functions given to `while_loop`, `map` and `scan` of `torch._higher_order_ops` that have side effects (in-place writes
to what they are given, assignments to `nonlocal` names, mutations of a list), that return what they are given unchanged, that
take another number of arguments than they are called with, or that change the shape, dtype or structure of what is carried;
and calls of `torch.ops.higher_order.scan` and `associative_scan`, the operators behind these functions, which strict export
does not accept.

## Why export cannot do it
The function is traced once and run any number of times: what it carries is the input of the next iteration, so both must have
the same metadata. Outputs must not alias inputs, and a side effect would happen once, while tracing.

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
A write to a carried tensor of `while_loop` is redirected to a copy, and a tensor that it returns unchanged is cloned: safe,
torch rejects the call as written. There is no fix if the body changes a size, and none for `map` and `scan`.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB605` prints them.

## References
- torch docs, "Control Flow - While Loop", "Control Flow - Map" and "Control Flow - Scan"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.operators.outputs import (
    assigned,
    certainty,
    difference,
    is_outside,
    leaves,
    parts,
    returned,
    wrong_count,
)
from exportdb_rules.facts import Branched, GlobalWritten, OperatorCalled, TensorWritten
from exportdb_rules.lattice import Sequence
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Function
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Branch, Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext

# Operators that Dynamo knows only as what the functions of `torch._higher_order_ops` make of them, and their cases.
_BEHIND = {
    "higher_order::scan": "scan_operator",
    "higher_order::associative_scan": "associative_scan_operator",
}
_GROWING = frozenset({"cat", "concat", "concatenate", "stack", "hstack", "vstack", "repeat"})


class LoopOperator(Rule):
    """A function of `while_loop`, `map` or `scan` has a side effect or changes what it carries."""

    code = "EDB605"
    name = "loop-operator"
    family = "operators"
    summary = "A function of `while_loop`, `map` or `scan` has a side effect or changes what it carries"
    facts = (Branched, OperatorCalled)
    cases = (
        "while_loop_mutation",
        "while_loop_shape_changes",
        "while_loop_alias",
        "while_loop_nonlocal_write",
        "while_loop_operand_count",
        "map_mutation",
        "map_alias",
        "scan_mutation",
        "scan_alias",
        "scan_carry_differs",
        "scan_operator",
        "associative_scan_operator",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, OperatorCalled):
            case = _BEHIND.get(fact.name)
            if case is not None:
                short = fact.name.partition("::")[2]
                message = (
                    f"Strict export does not trace the operator `torch.ops.higher_order.{short}` itself: "
                    f"call `torch._higher_order_ops.{short}`"
                )
                yield Violation(fact.site, case, message)
            return
        assert isinstance(fact, Branched)
        if fact.operator == "cond":
            return
        wrong = wrong_count(fact)
        if wrong is not None:
            branch, text = wrong
            yield Violation(fact.site, "while_loop_operand_count", f"`{branch.role}` of `{fact.operator}` {text}")
            return
        for branch in fact.branches:
            found = _side_effect(fact, branch) or (None if branch.role == "cond_fn" else _result(fact, branch))
            if found is not None:
                yield found
                return

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.higher_order.cond_misuse import alias_to_clone, write_to_copy

        if context.finding.case == "while_loop_alias":
            return alias_to_clone(context, "while_loop")
        return write_to_copy(context, "while_loop")


def _side_effect(fact: Branched, branch: Branch) -> Violation | None:
    for write in branch.writes:
        if isinstance(write, TensorWritten):
            return Violation(
                fact.site,
                f"{fact.operator}_mutation",
                f"{quote(write.site)} mutates an input of `{branch.role}` in place: return a new tensor",
                evidence=max(Evidence.DERIVED, write.value.evidence),
                origin=write.site,
                origin_note="mutated here",
                fixable=fact.operator == "while_loop",
            )
    written = (
        *branch.rebound,
        *branch.resized,
        *[write.name for write in branch.writes if isinstance(write, GlobalWritten)],
    )
    if not written:
        return None
    text = f"`{branch.role}` of `{fact.operator}` changes `{written[0]}` of the enclosing scope: carry it as a tensor"
    site = assigned(branch, written[0]) if branch.rebound else None
    return Violation(site or fact.site, "while_loop_nonlocal_write", text)


def _result(fact: Branched, branch: Branch) -> Violation | None:
    """What is wrong with what a function returns."""
    if any(is_outside(leaf) for leaf in leaves(branch.result)) and (evidence := certainty(branch)):
        text = f"`{branch.role}` of `{fact.operator}` returns an input or a view of one: its outputs must not alias its inputs, return a `.clone()`"  # fmt: skip
        return Violation(
            fact.site, f"{fact.operator}_alias", text, evidence=evidence, fixable=fact.operator == "while_loop"
        )
    if fact.operator == "scan":
        carried = branch.result.items[0] if isinstance(branch.result, Sequence) and branch.result.items else None
        found = None if carried is None else difference(fact.operands[0], carried)
        if found is not None:
            text = f"The initial carry of `scan` and the one that `combine_fn` returns do not match ({found.text})"
            return Violation(fact.site, "scan_carry_differs", text, evidence=found.evidence)
    if fact.operator != "while_loop":
        return None
    found = difference(Sequence("tuple", list(fact.operands)), _as_tuple(branch))
    if found is not None and found.case != "cond_dtype_differs":
        text = f"Carried inputs of `while_loop` and outputs of its body do not match ({found.text})"
        return Violation(fact.site, "while_loop_shape_changes", text, evidence=found.evidence)
    if (carried := _concatenated(branch)) is not None:
        text = f"The body of `while_loop` changes the size of the carried input `{carried}`"
        return Violation(fact.site, "while_loop_shape_changes", text, evidence=Evidence.DERIVED)
    return None


def _as_tuple(branch: Branch) -> Sequence:
    result = branch.result
    if isinstance(result, Sequence) and result.type == "list":
        return Sequence("tuple", result.items, result.element)
    return result if isinstance(result, Sequence) else Sequence("tuple", None, None)


def _concatenated(branch: Branch) -> str | None:
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
