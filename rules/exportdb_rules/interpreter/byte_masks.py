"""Masks of uint8, which eager takes for masks of bool where an index or the condition of `torch.where` is expected.

Fake tensors take masks of bool alone (cases `byte_mask_where`, `byte_mask_index`; measured with torch 2.13: `masked_fill` and
its kin refuse uint8 in eager as well, and `torch.where` of a condition alone takes any dtype).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.lattice import choices
from exportdb_rules.operator_table import example_dtype
from exportdb_rules.values import Tensor

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value

# The name under which such a mask is a fact: the place is that of the mask, the argument what it is.
BYTE_INDEX: Final = "index of uint8"
BYTE_CONDITION: Final = "condition of uint8"


def is_byte_mask(value: Value) -> bool:
    """Whether a value is a tensor of uint8."""
    return type(value) is Tensor and example_dtype(value.dtype) == "uint8"


def check_index(frame: Frame, node: ast.Subscript, place: int, part: Value) -> None:
    """One part of the index of a tensor that is read."""
    if isinstance(node.ctx, ast.Load) and any(map(is_byte_mask, choices(part))):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        plain = place < len(parts) and not any(isinstance(other, ast.Starred) for other in parts)
        frame.emit_call(parts[place] if plain else node.slice, BYTE_INDEX, [part])


def check_condition(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> None:
    """`torch.where(condition, a, b)` and `a.where(condition, b)`."""
    place = 0 if name.startswith("torch.") else 1
    given = keywords.get("condition", args[place] if len(args) > place else None)
    if given is None or len(args) + len(keywords) < 3 or not any(map(is_byte_mask, choices(given))):
        return
    written: ast.AST = node
    if isinstance(node, ast.Call) and not any(isinstance(arg, ast.Starred) for arg in node.args):
        named = {keyword.arg: keyword.value for keyword in node.keywords}
        written = named.get("condition", node.args[0] if node.args else node)
    frame.emit_call(written, BYTE_CONDITION, [given])
