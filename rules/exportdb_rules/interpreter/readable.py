"""Numbers of tensors that the constructor, or the file, made and that are no buffers.

Non-strict export finds such a tensor as it is: `.item()`, `int()` and the like read its number while tracing, where they ask it
itself, or what arithmetic made of such a tensor of one number. Strict export makes a symbol of it (cases `plain_number_branch`,
`plain_number_branch_ok`, `plain_number_sum_ok`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Indexed
from exportdb_rules.values import BUFFER, INPUT, PARAMETER, Sym, Tensor, Value

if TYPE_CHECKING:
    from exportdb_rules.facts import Fact
    from exportdb_rules.interpreter.machine import AnalysisState, Frame

# What measured programs show of a number that non-strict export reads.
CASE: Final = "plain_number_branch"
# Attributes of a tensor that are other tensors.
_OTHERS: Final = frozenset("T mT H mH real imag data grad".split())


def number_read(frame: Frame, node: ast.AST, asked: ast.AST, value: Value, kind: str) -> Sym | None:
    """The number that is read where a tensor is asked for it; None where non-strict export does not know it."""
    if not (type(value) is Tensor and frame.traced and is_readable(value)):
        return None
    if isinstance(asked, ast.Attribute) and asked.attr in _OTHERS:
        return None
    frame.run.numbers_read[id(node)] = node
    return Sym(kind, backed=False, site=frame.site(node), evidence=value.evidence)


def is_readable(tensor: Tensor) -> bool:
    """Whether non-strict export finds a tensor as it is."""
    return tensor.readable and tensor.origin not in (PARAMETER, BUFFER, INPUT)


def are_equal(frame: Frame, node: ast.Call, tensors: list[Tensor]) -> Sym | None:
    """What `torch.equal` or `torch.allclose` says of tensors that non-strict export finds as they are."""
    asked = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
    if any(isinstance(one, ast.Attribute) and one.attr in _OTHERS for one in asked):
        return None
    known = [tensor for tensor in tensors if is_readable(tensor)]
    if not known or not all(tensor.constant or tensor in known for tensor in tensors):
        return None
    return number_read(frame, node, node, known[0], "bool")


def holds_one(tensor: Tensor) -> bool:
    """Whether non-strict export knows the number of a tensor that has one: what arithmetic makes of it is remembered as well."""
    return tensor.constant or (tensor.dims == () and is_readable(tensor))


def reads_number(run: AnalysisState, fact: Fact) -> bool:
    """Whether a fact is about such a number."""
    value = fact.index if type(fact) is Indexed else getattr(fact, "value", None)
    return (
        type(value) is Sym and not value.backed and value.site is not None and id(value.site.node) in run.numbers_read
    )
