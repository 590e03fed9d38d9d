"""Numbers of tensors that the constructor, or the file, made and that are no buffers.

Non-strict export finds such a tensor as it is: `.item()`, `int()` and the like read its number while tracing, where they ask it
itself and not what was computed from it. Strict export makes a symbol of it (cases `plain_number_branch`,
`plain_number_branch_ok`).
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
    if not (type(value) is Tensor and value.readable and frame.traced) or value.origin in (PARAMETER, BUFFER, INPUT):
        return None
    if isinstance(asked, ast.Attribute) and asked.attr in _OTHERS:
        return None
    frame.run.numbers_read[id(node)] = node
    return Sym(kind, backed=False, site=frame.site(node), evidence=value.evidence)


def reads_number(run: AnalysisState, fact: Fact) -> bool:
    """Whether a fact is about such a number."""
    value = fact.index if type(fact) is Indexed else getattr(fact, "value", None)
    return (
        type(value) is Sym and not value.backed and value.site is not None and id(value.site.node) in run.numbers_read
    )
