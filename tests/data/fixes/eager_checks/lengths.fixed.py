"""Checks of sizes that depend on data, with messages that show them."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    def forward(self, x):
        kept = x[x > 0]
        # one weight for each
        if not torch.compiler.is_exporting() and self.weight.shape != kept.shape[:1]:
            raise AssertionError(self.weight.shape)
        if not torch.compiler.is_exporting() and kept.shape[0] not in (1, 2):
            raise ValueError(f"expected 1 or 2 elements, got {kept.shape[0]}")
        return kept.sum() + self.weight.sum()


inputs = [(torch.tensor([1.0, -1.0, 2.0]),), (torch.tensor([3.0, -1.0, 4.0]),)]
# mended: EDB103
