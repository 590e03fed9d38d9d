"""Tensors that a branch changes in place and that others see: inputs, what the rounds of a loop add to, a row of a view."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.register_buffer("edges", torch.tensor([0.0, 0.5, 1.0]))

    def flipped(self, u, v):
        # no column has a negative sum
        for i in range(u.shape[1]):
            if u[:, i].sum() < 0:
                u[:, i] *= -1
                v[i] *= -1
        return u @ v

    def binned(self, score):
        total = torch.zeros(1)
        worst = torch.zeros(1)
        for low, high in zip(self.edges[:-1], self.edges[1:], strict=True):
            inside = (score > low) & (score <= high)
            share = inside.float().mean()
            if share > 0:
                gap = (score * inside).sum()
                total += gap * share
                if gap > worst:
                    worst[0] = gap
        return total + worst

    def forward(self, x, mask, u, v):
        if mask.any():
            x[mask] = 0.0  # what is masked does not count
        y = self.limited(x)
        return y + self.binned(x.sigmoid().mean(1)), self.flipped(u, v)

    def limited(self, x):
        if x.norm() > 4:
            x.mul_(4.0 / x.norm())
            return self.lin(x)
        return self.lin(x) * 2


u, v = torch.tensor([[-2.0, 1, 0.5], [1, 3, -1], [0, 1, -4]]), torch.arange(9.0).view(3, 3)
some = torch.tensor([[True, False, False], [False, False, True]])
inputs = [
    (torch.ones(2, 3), some, u, v),
    (torch.full((2, 3), 5.0), torch.zeros(2, 3, dtype=torch.bool), u, v),
    (-torch.ones(2, 3), torch.zeros(2, 3, dtype=torch.bool), -u, v),
    (torch.zeros(2, 3), some, u.abs(), v),
]
# mended: EDB101
