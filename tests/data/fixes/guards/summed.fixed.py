"""Losses of what a mask selects, added where there is any."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3), torch.zeros(4, 3, dtype=torch.bool))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(3, 3)

    def forward(self, x, mask):
        x = self.proj(x)
        loss = x.square().mean()
        loss = loss + x[mask].sum()
        excess = x[x > 1] - 1
        loss = loss - 0.5 * excess.exp().sum()
        return loss


x = torch.randn(4, 3)
none = torch.zeros(4, 3, dtype=torch.bool)
inputs = [(x, none), (x * 9, x > 0), (x * 0, ~none)]
# mended: EDB101
