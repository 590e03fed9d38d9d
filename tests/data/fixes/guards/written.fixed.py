"""Writes to what a mask selects, behind a count of it."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3), torch.zeros(4, 3, dtype=torch.bool))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.randn(3))

    def forward(self, x, mask):
        y = x.tanh()
        x = x.clone()
        rows = mask[:, 0]
        x[rows] = self.token
        # All that is selected.
        x[mask] = 2 * y[mask] + 1
        x[mask] += 1
        part = y[rows].relu()
        x[rows] = part / 2
        same = (x == y).all(-1)
        x[:, 1:][same] = float("-inf")
        return x


x = torch.randn(4, 3)
none = torch.zeros(4, 3, dtype=torch.bool)
inputs = [(x, none), (x, x > 0), (x, ~none)]
# mended: EDB101 EDB103 EDB203
