"""What is done with a number: whether a tensor without dimensions would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.tree import occurrences

if TYPE_CHECKING:
    from exportdb_rules.rewrite.fix_site import FixSite


def arithmetic_only(place: FixSite, name: str, *, mixed: bool = False) -> bool:
    """Whether all that is done with a number is arithmetic that gives a tensor: with the one that a name has, or, where it
    is '', with the one that the conditional expression around the finding gives. `mixed`: the name has a tensor on the other
    side, so that arithmetic gives a number where all that it is done with may be one."""
    paths: list[tuple[cst.CSTNode, ...]] = []
    if not name:
        path = place.path
        at = next((i for i, n in enumerate(path) if isinstance(n, cst.IfExp)), -1)
        if at < 0:
            return False
        parent = path[at - 1]
        if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
            target = parent.targets[0].target
            if not isinstance(target, cst.Name):
                return False
            name = target.value
        else:
            paths.append(path[: at + 1])
    if name:
        paths += [p for p in occurrences(place.function.body, name) if not _bound(p)]
    return all(_into_tensor(place, p, mixed=mixed) for p in paths)


def _bound(path: tuple[cst.CSTNode, ...]) -> bool:
    return isinstance(path[-2], cst.AssignTarget)


def _into_tensor(place: FixSite, path: tuple[cst.CSTNode, ...], *, mixed: bool) -> bool:
    parent: cst.CSTNode = path[-2]
    if place.inference.is_tensor(path[-1]):
        return True
    if isinstance(parent, cst.AugAssign) and parent.value is path[-1]:
        parent = parent.target
    elif isinstance(parent, cst.Arg) and parent.keyword is None and isinstance(call := path[-3], cst.Call):
        # `x.mul(scale)` takes a tensor as well as a number.
        if not isinstance(call.func, cst.Attribute) or not operator(call.func.attr.value).broadcasts:
            return False
        parent = call
    elif not isinstance(parent, cst.BinaryOperation):
        return False
    return mixed or place.inference.is_tensor(parent)
