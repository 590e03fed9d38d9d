"""Local names that hold arrays and numbers of numpy: for tracing they are tensors, in eager they are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.imports import numpy_name
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.tree import Tree


def refuse_arrays(tree: Tree, function: cst.FunctionDef, code: cst.CSTNode | Sequence[cst.CSTNode]) -> None:
    """Raises FixNotApplicable where code of a function reads such a name, or makes an array."""
    nodes = [code] if isinstance(code, cst.CSTNode) else code
    if names(code).reads & array_names(tree, function) or any(_makes_array(tree, node) for node in nodes):
        raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "what numpy computes is not a tensor")


def _makes_array(tree: Tree, code: cst.CSTNode) -> bool:
    """Whether an array, or a number of numpy's, is made somewhere in code."""
    if not tree.mentions("numpy"):
        return False
    numpy = numpy_name(tree)
    return any(
        _is_array(call, numpy, set()) or _is_numpy_method(call) for call in below(code, cst.Call, outside=(cst.Lambda,))
    )


def _is_numpy_method(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in ("numpy", "__array__")


def refuse_numpy(tree: Tree, function: cst.FunctionDef, code: Sequence[cst.CSTNode]) -> None:
    """Raises FixNotApplicable where code of a function reads such a name, or calls numpy."""
    refuse_arrays(tree, function, code)
    numpy = numpy_name(tree)
    if any(dotted(call.func).startswith(f"{numpy}.") for node in code for call in below(node, cst.Call)):
        raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "what numpy computes is not a tensor")


def array_names(tree: Tree, function: cst.FunctionDef) -> set[str]:
    """The names of a function that are assigned what numpy made, or what is computed from that by operators."""
    if not tree.mentions("numpy"):
        return set()
    numpy = numpy_name(tree)
    found: set[str] = set()
    assigns = list(below(function.body, cst.Assign))
    for _ in assigns:
        before = len(found)
        for assign in assigns:
            if _is_array(assign.value, numpy, found):
                found |= {name.value for t in assign.targets for name in targets(t.target)}
        if len(found) == before:
            break
    return found


def _is_array(node: cst.BaseExpression, numpy: str, known: set[str]) -> bool:
    if isinstance(node, cst.Call):
        name = dotted(node.func)
        if name.startswith(f"{numpy}."):
            return True
        method = node.func if isinstance(node.func, cst.Attribute) else None
        if method is None or method.attr.value in ("item", "tolist"):
            return False
        return method.attr.value == "numpy" or _is_array(method.value, numpy, known)
    if isinstance(node, (cst.Name, cst.UnaryOperation, cst.Subscript, cst.Attribute)):
        return bool(names(node).reads & known)
    if isinstance(node, cst.BinaryOperation):
        return _is_array(node.left, numpy, known) or _is_array(node.right, numpy, known)
    return isinstance(node, cst.Comparison) and bool(names(node).reads & known)
