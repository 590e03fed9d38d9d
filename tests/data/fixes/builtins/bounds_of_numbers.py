"""Bounds of numbers from data: by a size, by an attribute, one of two numbers, and a number that is asked for in its place."""

import torch
from torch import nn


# exportdb: args=(torch.randn(3, 6), torch.tensor(4), torch.tensor(0.7))
class Net(nn.Module):
    def __init__(self, least=3):
        super().__init__()
        self.least = least

    def forward(self, x, n, temperature):
        k = n.to(torch.int64).item()
        # not more than there are
        if k > x.shape[1]:
            k = x.shape[1]
        m = n.to(torch.int64).item()
        if m < self.least:
            rows = self.least
        else:
            rows = m
        fewer = m if m <= 5 else 5
        if temperature.item() != 1.0:
            x = x / temperature.item()
        return x[:, :k].sum(1), x.new_zeros(rows), x * fewer


inputs = [
    (torch.linspace(-1, 1, 18).view(3, 6), torch.tensor(n), torch.tensor(t)) for n, t in ((4, 0.7), (9, 1.0), (1, 2.0))
]
# mended: EDB103
