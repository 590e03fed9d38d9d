"""Conditional expressions as operands and arguments."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(3))

    def forward(self, x):
        y = torch.where(x.sum() > 0, x.relu(), -x)
        return torch.stack(
            [y, torch.where((y * self.gain).max() > 1, y.exp(), y.tanh())]
        )


inputs = [(torch.ones(2, 3) * s,) for s in (0.5, -0.5, 2.0, -2.0)]
# mended: EDB101
