# expected: non-strict not-rebuilt, strict not-rebuilt
"""Exports what only a caller knows."""

import torch


def convert(model: torch.nn.Module, size: int) -> torch.export.ExportedProgram:
    return torch.export.export(model, (torch.randn(size),))  # here
