"""What a piece of code changes besides its own local names: tensors in place, attributes, the world."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.signature import Tensor, leaves
from exportdb_rules.rewrite.tree import children, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.rewrite.inference import Environment


@dataclass(slots=True)
class Changes:
    """`names`: locals whose object is changed in place. `other`: why the code cannot be moved, '' if it can."""

    names: set[str] = field(default_factory=set[str])
    other: str = ""


def changes(block: Iterable[cst.CSTNode]) -> Changes:
    """What the statements change in place, inner functions left aside."""
    found = Changes()
    for node in block:
        _visit(node, found)
    return found


def _visit(node: cst.CSTNode, found: Changes) -> None:
    if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
        return
    if isinstance(node, cst.AugAssign):
        _changed(node.target, found)
    elif isinstance(node, (cst.Assign, cst.AnnAssign)):
        for target in [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]:
            _bound(target, found)
    elif isinstance(node, cst.Expr) and isinstance(node.value, cst.Call) and not _in_place(node.value):
        found.other = "a call for its effect"
    elif isinstance(node, cst.Call):
        if _in_place(node):
            assert isinstance(node.func, cst.Attribute)
            _changed(node.func.value, found)
        for arg in node.args:
            if arg.keyword is not None and arg.keyword.value == "out":
                _changed(arg.value, found)
            if arg.keyword is not None and arg.keyword.value == "inplace" and dotted(arg.value) == "True":
                found.other = "an operation in place"
    for child in children(node):
        _visit(child, found)


def _in_place(node: cst.Call) -> bool:
    if not isinstance(node.func, cst.Attribute):
        return False
    name = node.func.attr.value
    return name.endswith("_") and not name.endswith("__") and not name.startswith("_")


def _bound(target: cst.CSTNode, found: Changes) -> None:
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            _bound(element.value, found)
    elif isinstance(target, (cst.Attribute, cst.Subscript)):
        _changed(target, found)


def _changed(node: cst.CSTNode, found: Changes) -> None:
    """The object that an in-place operation on this expression reaches."""
    while isinstance(node, (cst.Subscript, cst.Call)):
        if isinstance(node, cst.Subscript):
            node = node.value
        elif isinstance(node.func, cst.Attribute):
            node = node.func.value
        else:
            break
    if isinstance(node, cst.Name):
        found.names.add(node.value)
    else:
        found.other = f"an assignment to {dotted(node) or 'an object'}"


def private(name: str, env: Environment, before: Sequence[cst.CSTNode]) -> bool:
    """Whether a local tensor's storage is its own when a statement begins: nobody else could see it change.

    `before` is everything that may have run in the function until then.
    """
    mine = env.get(name)
    if not isinstance(mine, Tensor) or not mine.roots or not all(r.startswith("#") for r in mine.roots):
        return False
    for other, signature in env.items():
        if other != name and any(isinstance(s, Tensor) and s.roots & mine.roots for s in leaves(signature)):
            return False
    return not any(_escapes(name, node) for node in before)


def _escapes(name: str, node: cst.CSTNode) -> bool:
    """Whether the tensor of a name is put somewhere where it outlives the expression it stands in."""
    if isinstance(node, cst.Assign):
        stored = any(not isinstance(t.target, cst.Name) for t in node.targets)
        if stored and _mentions(name, node.value):
            return True
    if isinstance(node, (cst.List, cst.Dict, cst.Set)) and _mentions(name, node):
        return True
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call) and _mentions(name, node.value):
        return not _in_place(node.value)
    if isinstance(node, (cst.Lambda, cst.FunctionDef)) and _mentions(name, node):
        return True
    return any(_escapes(name, child) for child in children(node))


def _mentions(name: str, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Name):
        return node.value == name
    return any(_mentions(name, child) for child in children(node))
