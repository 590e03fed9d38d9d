"""Numbers that branches put in the place of tensors, numbers read from tensors, and a number that is returned."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.res = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))

    def averaged(self, x, mask):
        n = mask.sum()
        # nothing to divide by
        n = torch.where(n == 0, 1, n)
        total = (x * mask).sum() / n
        m = (mask > 1).sum()
        m = torch.where(m == 0, 1, m)
        return total + x.sum() / m

    def gated(self, x):
        active = (x > 0).any()
        big = x.abs().max() > 3

        def true_branch(x):
            x = self.lin(x)
            return x

        def false_branch(x):
            return x.clone()

        x = torch.cond(active & ~big, true_branch, false_branch, (x,))
        return x

    def forward(self, x, mask):
        u = self.averaged(x, mask)
        u += torch.cond(u.abs() < 2, lambda x: self.res(x)[0, 0], lambda x: torch.full((), 0.0), (x,))
        return self.gated(x), u, torch.where(u > 0, 1, 0).item()


model = Net()
example_args = (torch.randn(3, 4), torch.ones(3, 4, dtype=torch.int64))
inputs = [
    example_args,
    (-torch.ones(3, 4), torch.zeros(3, 4, dtype=torch.int64)),
    (torch.full((3, 4), 4.0), torch.full((3, 4), 2)),
    (torch.full((3, 4), 0.01), torch.zeros(3, 4, dtype=torch.int64)),
]
# mended: EDB101 EDB103
