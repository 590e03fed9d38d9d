"""Sizes of the example inputs in dimensions that are declared to be dynamic: above all those of one, or none.

Export gives a symbol to no size of 0 or 1 in the example: the dimension is a constant, whatever the Dim says
(torch docs, "Dynamic shapes": 0/1 specialization; cases `size_one`, `size_one_named`, `size_one_dynamic`).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exportdb_rules.dynamic_shapes import place_of
from exportdb_rules.inputs import part_of
from exportdb_rules.project import dotted, parameters_of
from exportdb_rules.values import Static, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_rules.dynamic_shapes import Dimensions, Path
    from exportdb_rules.project import FunctionInfo
    from exportdb_rules.values import Value

# Sizes that get no symbol.
SPECIALIZED: Final = (0, 1)
_BY_SIZES: Final = frozenset(f"torch.{name}" for name in ("randn", "rand", "zeros", "ones", "empty"))
# Where other constructors take the list of sizes.
_LISTED: Final = {"torch.full": 0, "torch.randint": -1}


@dataclass(frozen=True, slots=True)
class Written:
    """A size in the example: where it is written out, or else the input that has it; of which tensor and dimension, and the name of
    its Dim."""

    node: ast.expr
    place: str
    index: int
    dim: str | None
    number: int


def written(spec: Dimensions, function: FunctionInfo) -> list[Written]:
    """The sizes of the example that `spec` is declared for, where they are written out."""
    found: list[Written] = []
    for path, dimensions in spec.declared.items():
        node, whole = _given(spec, function, path)
        sizes = [] if node is None or not whole else written_sizes(node)
        for index, dimension in dimensions.items():
            size = sizes[index] if -len(sizes) <= index < len(sizes) else None
            if isinstance(size, ast.Constant) and type(size.value) is int:
                found.append(Written(size, place_of(path), index, dimension.name, size.value))
    return found


def computed(spec: Dimensions, function: FunctionInfo, values: Mapping[str, Value]) -> list[Written]:
    """The sizes of one, or of none, in an example whose sizes are not written out (`torch.arange(6)[None]`), at the input. What
    one expression makes of several tensors is told once."""
    found: dict[tuple[int, int], Written] = {}
    for path, dimensions in spec.declared.items():
        node, whole = _given(spec, function, path)
        value = part_of(values.get(str(path[0])), path[1:])
        if node is None or type(value) is not Tensor or value.dims is None or (whole and written_sizes(node)):
            continue
        for index, dimension in dimensions.items():
            size = value.dims[index] if -len(value.dims) <= index < len(value.dims) else None
            if type(size) is Static and size.number in SPECIALIZED:
                one = Written(node, place_of(path), index, dimension.name, size.number)
                found.setdefault((id(node), index), one)
    return [*found.values()]


def _given(spec: Dimensions, function: FunctionInfo, path: Path) -> tuple[ast.expr | None, bool]:
    """The expression in the example that makes a tensor, and whether it makes that alone: otherwise the one that makes the list or
    dict around it."""
    node, names = spec.example, parameters_of(function)
    listed = node.elts if isinstance(node, (ast.Tuple, ast.List)) else []
    at = names.index(str(path[0])) if path[0] in names else len(listed)
    if at >= len(listed):
        return None, False
    node = listed[at]
    for step in path[1:]:
        if isinstance(node, (ast.Tuple, ast.List)) and isinstance(step, int) and step < len(node.elts):
            node = node.elts[step]
        elif isinstance(node, ast.Dict) and (key := _key(node, step)) is not None:
            node = node.values[key]
        else:
            return node, False
    return node, True


def _key(node: ast.Dict, step: str | int) -> int | None:
    return next((at for at, key in enumerate(node.keys) if isinstance(key, ast.Constant) and key.value == step), None)


def written_sizes(node: ast.expr) -> list[ast.expr]:
    """The sizes that an example input is made of, where they are written out; none where a method may change them."""
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        return written_sizes(node.left)
    if not isinstance(node, ast.Call):
        return []
    name = dotted(node.func)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        kept = node.func.attr in ("abs", "bool", "clone", "cuda", "double", "float", "half", "long", "to")
        return written_sizes(node.func.value) if kept else []
    if name in _LISTED and node.args:
        listed = node.args[_LISTED[name]]
        return listed.elts if isinstance(listed, (ast.Tuple, ast.List)) else []
    if name not in _BY_SIZES or any(isinstance(a, ast.Starred) for a in node.args):
        return []
    if len(node.args) == 1 and isinstance(node.args[0], (ast.Tuple, ast.List)):
        return node.args[0].elts
    return node.args
