"""Numbers that branches put in the place of tensors, numbers read from tensors, and a number that is returned."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.res = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))

    def averaged(self, x, mask):
        n = mask.sum().item()
        if n == 0:
            n = 1  # nothing to divide by
        total = (x * mask).sum() / n
        m = (mask > 1).sum()
        if m == 0:
            m = 1
        return total + x.sum() / m

    def gated(self, x):
        active = bool((x > 0).any())
        big = x.abs().max().item() > 3
        if active and not big:
            x = self.lin(x)
        return x

    def forward(self, x, mask):
        u = self.averaged(x, mask)
        u += self.res(x)[0, 0] if u.abs() < 2 else 0.0
        return self.gated(x), u, 1 if u > 0 else 0


model = Net()
example_args = (torch.randn(3, 4), torch.ones(3, 4, dtype=torch.int64))
inputs = [
    example_args,
    (-torch.ones(3, 4), torch.zeros(3, 4, dtype=torch.int64)),
    (torch.full((3, 4), 4.0), torch.full((3, 4), 2)),
    (torch.full((3, 4), 0.01), torch.zeros(3, 4, dtype=torch.int64)),
]
# mended: EDB101 EDB103
