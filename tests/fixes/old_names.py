"""Names of export's interface that older versions of torch had, as what they meant to eager.

Programs that still use them cannot be loaded on the torch that is installed; what they compute is known all the same.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import torch
import torch._export


def _constrain_as_value(symbol: int, min: int | None = None, max: int | None = None) -> None:
    """Torch 2.1 to 2.4: raises for a number out of its range."""
    torch.sym_constrain_range(symbol, min=min, max=max)


def _captured(model: Any, *_: Any, **__: Any) -> Any:
    """What is exported computes what the model does."""
    return model


def _dynamic_dim(tensor: torch.Tensor, index: int) -> tuple[torch.Tensor, int]:
    """Torch 2.0 to 2.4: one dimension of one input, for `constraints=`."""
    return tensor, index


class OldNames(ExitStack):
    """While open, torch has the old names, and `export` takes what it once took."""

    def __enter__(self) -> OldNames:
        super().__enter__()
        for owner, name, meaning in (
            (torch, "_constrain_as_value", _constrain_as_value),
            (torch.export, "dynamic_dim", _dynamic_dim),
            (torch.export, "export_for_training", _captured),
            (torch.export, "export", _captured),
            (torch._export, "capture_pre_autograd_graph", _captured),
        ):
            self.enter_context(patch.object(owner, name, meaning, create=True))
        return self
