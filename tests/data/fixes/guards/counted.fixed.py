"""Totals of what is no NaN, where anything is left."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3),)
class Net(nn.Module):
    def forward(self, x):
        total = x.new_zeros(())
        value = x[~torch.isnan(x)]
        # something is left
        total += value.sum()
        large = x[x > 1]
        x = x + large.sum() / 2
        return x.relu() + total


x = torch.tensor([[1.0, 2.0], [3.0, float("nan")]])
inputs = [(x,), (x * float("nan"),), (x * 0,)]
# mended: EDB103
