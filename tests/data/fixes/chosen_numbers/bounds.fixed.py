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
        k = min(k, x.shape[1])
        m = n.to(torch.int64).item()
        rows = max(m, self.least)
        fewer = min(m, 5)

        def true_branch(temperature, x):
            x = x / temperature.item()
            return x

        def false_branch(temperature, x):
            return x.clone()

        x = torch.cond(temperature != 1.0, true_branch, false_branch, (temperature, x))
        return x[:, :k].sum(1), x.new_zeros(rows), x * fewer


inputs = [
    (torch.linspace(-1, 1, 18).view(3, 6), torch.tensor(n), torch.tensor(t)) for n, t in ((4, 0.7), (9, 1.0), (1, 2.0))
]
# mended: EDB103
