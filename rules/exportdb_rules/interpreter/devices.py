"""Conditions that ask for a device, and which side of them an export on the CPU takes.

Verdicts are measured on the CPU. What runs on another device alone may fail there: no more than a possible finding rests
on it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import dotted
from exportdb_rules.interpreter.narrowing import combined, evaluate_quietly
from exportdb_rules.values import DEVICE, External

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame

_FLAGS: Final = frozenset({"is_cuda", "is_xpu", "is_mps", "is_hpu", "is_xla"})
_AVAILABLE: Final = ("torch.cuda.is_available", "torch.backends.mps.is_available", "torch.xpu.is_available")
# torch's names of devices of its own, but for the CPU.
_OTHERS: Final = ("cuda", "mps", "xpu", "hpu", "xla", "npu", "privateuse")


def on_cpu(frame: Frame, test: ast.expr) -> bool | None:
    """How a condition on a device comes out on the CPU; None of any other condition, and in code that is not traced."""
    return combined(frame, test, _on_cpu) if frame.traced else None


def _on_cpu(frame: Frame, test: ast.expr) -> bool | None:
    if isinstance(test, ast.Attribute):
        return False if test.attr in _FLAGS else None
    if isinstance(test, ast.Call):
        return _of_call(frame, test)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(frame, test.left, test.ops[0], test.comparators[0])
    return None


def _of_call(frame: Frame, test: ast.Call) -> bool | None:
    if dotted(test.func) in _AVAILABLE:
        return False
    if not isinstance(test.func, ast.Attribute) or test.func.attr != "startswith" or len(test.args) != 1:
        return None
    name = _named(frame, test.args[0])
    return name == "cpu" if name and _is_device(frame, test.func.value) else None


def _compared(frame: Frame, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:
    """`x.device.type == "cuda"`, `"cuda" in str(x.device)`, `x.device.type in ("cuda", "mps")`."""
    if isinstance(right, (ast.Tuple, ast.List, ast.Set)):
        names = [_named(frame, element) for element in right.elts]
        same = "cpu" in names
        asked = left if all(names) and isinstance(operator, (ast.In, ast.NotIn)) else None
    else:
        asked, name = (right, name) if (name := _named(frame, left)) else (left, _named(frame, right))
        same = name == "cpu"
        asked = asked if name else None
    if asked is None or not _is_device(frame, asked):
        return None
    if isinstance(operator, (ast.Eq, ast.Is, ast.In)):
        return same
    return not same if isinstance(operator, (ast.NotEq, ast.IsNot, ast.NotIn)) else None


def is_class_of_devices(frame: Frame, callee: ast.expr) -> bool:
    """Whether a callee is `torch.device`; whatever it is called, its name ends so."""
    if not dotted(callee).endswith("device"):
        return False
    known = evaluate_quietly(frame, callee)
    return type(known) is External and known.name == "torch.device"


def _named(frame: Frame, node: ast.expr) -> str:
    """The kind of device that a text or `torch.device(…)` names; nothing where it is neither."""
    if isinstance(node, ast.Call) and node.args and is_class_of_devices(frame, node.func):
        node = node.args[0]
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return "cpu" if text == "cpu" else text if text.startswith(_OTHERS) else ""


def _is_device(frame: Frame, node: ast.expr) -> bool:
    """Whether an expression gives a device, its kind or its text."""
    if isinstance(node, ast.Call) and dotted(node.func) in ("str", "repr") and len(node.args) == 1:
        node = node.args[0]
    elif isinstance(node, ast.JoinedStr) and len(node.values) == 1 and isinstance(node.values[0], ast.FormattedValue):
        node = node.values[0].value
    if isinstance(node, ast.Attribute) and node.attr == "type":
        node = node.value
    plain = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))
    return plain and evaluate_quietly(frame, node) is DEVICE
