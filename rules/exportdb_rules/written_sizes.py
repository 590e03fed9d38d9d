"""Sizes of the example inputs in dimensions that are declared to be dynamic: above all those of one, or none.

Export gives a symbol to no size of 0 or 1 in the example: the dimension is a constant, whatever the Dim says
(torch docs, "Dynamic shapes": 0/1 specialization; cases `size_one`, `size_one_named`, `size_one_dynamic`).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exportdb_rules.project import dotted, parameters_of
from exportdb_rules.values import Static, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_rules.dynamic_shapes import Dimensions
    from exportdb_rules.project import FunctionInfo
    from exportdb_rules.values import Value

# Sizes that get no symbol.
SPECIALIZED: Final = (0, 1)
_BY_SIZES: Final = frozenset(f"torch.{name}" for name in ("randn", "rand", "zeros", "ones", "empty"))
# Where other constructors take the list of sizes.
_LISTED: Final = {"torch.full": 0, "torch.randint": -1}


@dataclass(frozen=True, slots=True)
class Written:
    """A size in the example that is written out: where, of which input and dimension, and the name of its Dim."""

    node: ast.expr
    parameter: str
    index: int
    dim: str | None
    number: int


def written(spec: Dimensions, function: FunctionInfo) -> list[Written]:
    """The sizes of the example that `spec` is declared for, where they are written out."""
    found: list[Written] = []
    for parameter, value in _inputs(spec, function):
        sizes = written_sizes(value)
        for index, dimension in spec.declared.get((parameter,), {}).items():
            if -len(sizes) <= index < len(sizes):
                size = sizes[index]
                if isinstance(size, ast.Constant) and type(size.value) is int:
                    found.append(Written(size, parameter, index, dimension.name, size.value))
    return found


def computed(spec: Dimensions, function: FunctionInfo, values: Mapping[str, Value]) -> list[Written]:
    """The sizes of one, or of none, in an example whose sizes are not written out (`torch.arange(6)[None]`), at the input."""
    found: list[Written] = []
    for parameter, node in _inputs(spec, function):
        value = values.get(parameter)
        dims = value.dims if type(value) is Tensor else None
        if dims is None or written_sizes(node):
            continue
        for index, dimension in spec.declared.get((parameter,), {}).items():
            size = dims[index] if -len(dims) <= index < len(dims) else None
            if type(size) is Static and size.number in SPECIALIZED:
                found.append(Written(node, parameter, index, dimension.name, size.number))
    return found


def _inputs(spec: Dimensions, function: FunctionInfo) -> list[tuple[str, ast.expr]]:
    """What each parameter is given in the example, as it is written."""
    example = spec.example
    listed = example.elts if isinstance(example, (ast.Tuple, ast.List)) else []
    return [*zip(parameters_of(function), listed, strict=False)]


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
