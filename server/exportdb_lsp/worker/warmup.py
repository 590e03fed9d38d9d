"""A small model, exported and compared as a user's would be, for what that leaves warm in the process."""

from __future__ import annotations

import os
from typing import Any

import torch

from . import compare, examples, job
from .wire import Reporter


class WarmupModel(torch.nn.Module):
    """Layers, a buffer, a size: what most models have."""

    scale: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x: Any) -> Any:
        """Some operators, one of which sees a symbolic size."""
        y: Any = torch.relu(self.layer(x)) * self.scale
        return torch.cat([y, x.reshape(x.shape[0], -1)], dim=-1).sum(-1)


def run_warmup(mode: str, reporter: Reporter) -> None:
    """Everything from the eager call to the last comparison.

    Raises:
        Exception: whatever torch raises, of versions that cannot do one of these things.
    """
    folder = os.path.dirname(os.path.abspath(__file__))
    message: dict[str, Any] = {
        "mode": mode,
        "filename": __file__,
        "root": folder,
        "timeout": 60.0,
        "dynamic": "given",
        "train": False,
        "draft": False,
    }
    export: Any = torch.export
    auto = getattr(export.Dim, "AUTO", None)
    shapes = {"x": {0: auto}} if auto is not None else None
    example = examples.Example(WarmupModel, (torch.randn(3, 4),), {}, shapes, {}, as_given=False, extra=[])
    example.model.eval()
    small = job.Job(message, reporter)
    eager = example.another()
    first = compare.call(eager, (example.args, example.kwargs), 100)
    program, wanted = small.exported(example)
    small.compared(example, eager, first, program, wanted)
