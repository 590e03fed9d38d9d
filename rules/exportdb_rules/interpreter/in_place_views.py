"""In-place methods that change the sizes or strides of a tensor, and not its numbers: `x.unsqueeze_(0)`.

Measured on torch 2.13: of a tensor that the code made (also of a view) both modes trace them; of an input, a buffer or a parameter
strict export does not, and `unsqueeze_` of an input fails in both modes; of a plain tensor attribute both modes refuse them.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.project import own_nodes
from exportdb_rules.values import ATTRIBUTE, BUFFER, INPUT, PARAMETER

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Tensor

METHODS: Final = frozenset("unsqueeze_ squeeze_ t_ transpose_ swapaxes_ swapdims_ as_strided_ set_".split())


def ask_in_place_view(frame: Frame, node: ast.AST, tensor: Tensor, method: str) -> None:
    """Tell that such a method is called on a tensor that was there before tracing began."""
    receiver = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if tensor.origin == INPUT and _is_input(frame, receiver):
        kind = "unsqueezed input" if method == "unsqueeze_" else "input"
    elif tensor.origin in (BUFFER, PARAMETER) and isinstance(receiver, ast.Attribute):
        kind = "input"
    elif tensor.origin == ATTRIBUTE and isinstance(receiver, ast.Attribute):
        kind = "attribute"
    else:
        return
    frame.emit_call(node, f"in-place view of an {kind}", [tensor])


def _is_input(frame: Frame, receiver: ast.expr | None) -> bool:
    """Whether a name is a parameter of the entry, and was not bound to anything else before."""
    info = frame.function
    if not isinstance(receiver, ast.Name) or info is None or frame.run.depth != 1 or isinstance(info.node, ast.Lambda):
        return False
    spec = info.node.args
    if receiver.id not in [arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]:
        return False
    return not any(
        isinstance(other, ast.Name)
        and other.id == receiver.id
        and isinstance(other.ctx, ast.Store)
        and other.lineno <= receiver.lineno
        for other in own_nodes(info.node)
    )
