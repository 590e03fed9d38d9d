"""`torch.cond` and `while_loop` as the Python that they mean.

In eager both compile their functions, which takes seconds, and refuse what they refuse under export: code that misuses
them has a meaning all the same, the `if` or `while` that it was written for, and a rewrite must keep that.
"""

# torch publishes partial types only.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any


class EagerHigherOrderOps:
    """While open, the operators run as Python, under whatever name a module imported them."""

    def __init__(self) -> None:
        self.used = 0
        self._undo: list[Callable[[], None]] = []

    def __enter__(self) -> EagerHigherOrderOps:
        replaced = {id(original): (original, stand_in) for original, stand_in in self._operators()}
        for module in list(sys.modules.values()):
            names: Any = getattr(module, "__dict__", None)
            if not isinstance(names, dict):
                continue
            for name, value in list(names.items()):
                known = replaced.get(id(value))
                if known is not None and known[0] is value:
                    self._put(names, name, known[1])
        return self

    def _put(self, names: dict[str, Any], name: str, value: Any) -> None:
        original = names[name]
        names[name] = value
        self._undo.append(lambda: names.__setitem__(name, original))

    def __exit__(self, *_: Any) -> None:
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()

    def _operators(self) -> list[tuple[Any, Any]]:
        found: list[tuple[Any, Any]] = []
        for place, stand_in in (("cond", self._cond), ("while_loop", self._while_loop)):
            try:
                module = importlib.import_module(f"torch._higher_order_ops.{place}")
            except ImportError:  # older than the operator
                continue
            original = getattr(module, place, None)
            if original is not None:
                found.append((original, stand_in))
        return found

    def _cond(self, pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
        self.used += 1
        return (true_fn if bool(pred) else false_fn)(*operands)

    def _while_loop(self, cond_fn: Any, body_fn: Any, carried_inputs: Any) -> Any:
        self.used += 1
        state = tuple(carried_inputs)
        while bool(cond_fn(*state)):
            result = body_fn(*state)
            state = tuple(result) if isinstance(result, (tuple, list)) else (result,)
        return state
