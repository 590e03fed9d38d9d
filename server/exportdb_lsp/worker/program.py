"""An exported program that can be started over."""

from __future__ import annotations

import sys
from typing import Any


class Program:
    """Wraps an ExportedProgram, whose modules share its buffers: what one call writes, the next module would read."""

    def __init__(self, exported: Any) -> None:
        torch: Any = sys.modules["torch"]
        self.exported = exported
        self._tensors: dict[str, Any] = {
            **{name: value for name, value in exported.state_dict.items() if isinstance(value, torch.Tensor)},
            **{name: value for name, value in exported.constants.items() if isinstance(value, torch.Tensor)},
        }
        self._initial = {name: value.detach().clone() for name, value in self._tensors.items()}

    def module(self) -> Any:
        """A callable program in the state in which it was exported."""
        torch: Any = sys.modules["torch"]
        with torch.no_grad():
            for name, value in self._tensors.items():
                if not torch.equal(value, self._initial[name]):
                    value.copy_(self._initial[name])
        return self.exported.module()
