"""`torch.autocast` on the CPU: which results it makes of a lower precision, and where they are converted back.

Strict export traces the operators as they are outside the context. What converts their results checks for the dtype that they
would have there, so that the exported program raises (measured: autocast).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.values import Const, External, Tensor

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value

AUTOCAST: Final = ("torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast", "torch.cpu.amp.autocast")
# The dtype of what is computed under autocast.
_LOWERED: Final = "bfloat16 under autocast"
_LOWERING: Final = frozenset(
    {"linear", "matmul", "mm", "bmm", "addmm", "baddbmm", "einsum", "scaled_dot_product_attention", "conv1d", "conv2d", "conv3d",
     "Linear", "Conv1d", "Conv2d", "Conv3d"}
)  # fmt: skip
_CONVERTING: Final = frozenset({"float", "double", "to"})


def lowers(name: str, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether a context of autocast makes the CPU compute in a lower precision."""
    on_cpu = name == AUTOCAST[-1]
    names = ("enabled", "dtype") if on_cpu else ("device_type", "dtype", "enabled")
    given = dict(zip(names, args, strict=False)) | keywords
    device, enabled, dtype = (given.get(key) for key in ("device_type", "enabled", "dtype"))
    if not on_cpu and type(device) is Const and device.value != "cpu":
        return False
    if type(enabled) is Const and not enabled.value:
        return False
    return type(dtype) is not External or dtype.name in ("torch.bfloat16", "torch.float16", "torch.half")


def note_lowered(frame: Frame, operator: str, result: Value) -> None:
    """An operator, or a module of torch's own, was called."""
    if frame.run.autocast and operator in _LOWERING and type(result) is Tensor:
        result.dtype = _LOWERED


def check_converted(frame: Frame, node: ast.AST, operator: str, tensor: Tensor | None) -> None:
    """A tensor is converted by an operator."""
    if tensor is not None and tensor.dtype == _LOWERED and operator in _CONVERTING:
        frame.emit_call(node, "autocast.to")
