"""A raise with an else that computes, inside a method, beside a branch that becomes torch.cond."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def normalise(self, x):
        total = x.abs().sum()
        if total == 0:
            raise ZeroDivisionError("all zero")
        else:
            x = x / total
        return x

    def forward(self, x):
        x = self.normalise(x)
        if x.mean() > 0:
            x = self.lin(x)
        return x


inputs = [(torch.ones(2, 3),), (-torch.ones(2, 3),), (torch.zeros(2, 3),)]
# mended: EDB101
