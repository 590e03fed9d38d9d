"""Outputs that alias the input, each other or a view of it, in a nested decision that returns tuples."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, y):
        flat = x.view(-1)
        y = x * y.mean()
        if (x > 0).all():
            if y.sum() > 1:
                return x, flat
            return y, flat * 2
        else:
            z = x + y
            return z, z.view(-1)


inputs = [
    (torch.ones(2, 3), torch.ones(2, 3)),
    (torch.ones(2, 3), -torch.ones(2, 3)),
    (-torch.ones(2, 3), torch.ones(2, 3)),
]
# mended: EDB101
