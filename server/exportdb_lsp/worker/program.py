"""An exported program that can be started over."""

from __future__ import annotations

import sys
from typing import Any


def has_values(value: Any) -> bool:
    """A tensor that holds numbers. A program that export got wrong may hold a fake one, or one of a transform."""
    torch: Any = sys.modules["torch"]
    if not isinstance(value, torch.Tensor) or type(value).__name__ in ("FakeTensor", "FunctionalTensor"):
        return False
    functorch: Any = getattr(torch._C, "_functorch", None)
    wrapped: Any = getattr(functorch, "is_functorch_wrapped_tensor", None)
    return wrapped is None or not wrapped(value)


class Program:
    """Wraps an ExportedProgram, whose modules share its buffers: what one call writes, the next module would read.

    Raises:
        Exception: torch cannot make a module of the program.
    """

    def __init__(self, exported: Any) -> None:
        self.exported = exported
        self._unused: Any = exported.module()
        known = {**exported.state_dict, **exported.constants}
        self._tensors: dict[str, Any] = {name: value for name, value in known.items() if has_values(value)}
        self._initial = {name: value.detach().clone() for name, value in self._tensors.items()}

    def module(self) -> Any:
        """A callable program in the state in which it was exported."""
        unused, self._unused = self._unused, None
        if unused is not None:
            return unused
        torch: Any = sys.modules["torch"]
        with torch.no_grad():
            for name, value in self._tensors.items():
                if not torch.equal(value, self._initial[name]):
                    value.copy_(self._initial[name])
        return self.exported.module()
