"""Conditional expressions: an assignment, an operand, a chain, an argument."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(3, 3)

    def forward(self, x):
        y = self.up(x) if x.sum() > 0 else x
        y = y + (x.cos() if x.max() > 1 else x.sin() if x.min() < -1 else -x)
        return torch.relu(y if y.any() else y + 1)


inputs = [(torch.ones(2, 3) * s,) for s in (0.5, -0.5, 2.0, -2.0, 0.0)]
# mended: EDB101
