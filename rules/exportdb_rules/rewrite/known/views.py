"""What becomes of a view: whether it is written through, kept, or used up at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.operator_table import operator

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEEPING = (cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.IfExp, cst.Element, cst.DictElement, cst.Return)


def outlives(path: Sequence[cst.CSTNode]) -> bool | None:
    """Whether the view that a path ends with is kept, or a part of it; None where something is written through it.

    False where a new tensor is made of it at once, and where it is itself assigned to: `t[i] = v`.
    """
    for at in range(len(path) - 1, 0, -1):
        parent, here = path[at - 1], path[at]
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign)) and parent.target is here:
            return False if at == len(path) - 1 else None
        if isinstance(parent, cst.Attribute):
            name = parent.attr.value
            if name.endswith("_") and not name.endswith("__"):
                return None
            if operator(name).fresh:
                return False
        elif not (isinstance(parent, cst.Call) and parent.func is here) and not (
            isinstance(parent, cst.Subscript) and parent.value is here
        ):
            return isinstance(parent, _KEEPING)
    return True


def used_up(path: Sequence[cst.CSTNode]) -> bool:
    """Whether a new tensor is made at once of the view that a path ends with, or it is itself assigned to."""
    for at in range(len(path) - 1, 0, -1):
        parent, here = path[at - 1], path[at]
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign)):
            return parent.target is here and at == len(path) - 1
        if isinstance(parent, cst.Attribute):
            if operator(parent.attr.value).fresh:
                return True
        elif not (isinstance(parent, cst.Call) and parent.func is here) and not (
            isinstance(parent, cst.Subscript) and parent.value is here
        ):
            unary = isinstance(parent, cst.UnaryOperation) and not isinstance(parent.operator, cst.Plus)
            return unary or isinstance(parent, (cst.BinaryOperation, cst.Comparison, cst.ComparisonTarget))
    return False
