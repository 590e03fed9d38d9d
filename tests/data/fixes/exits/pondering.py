"""A model that refines until it is sure, and counts in Python how many steps that took."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, steps=3):
        super().__init__()
        self.steps = steps
        self.refine = nn.Linear(4, 4)
        self.sure = nn.Linear(4, 1)

    def forward(self, x):
        taken = 0
        cost = 0.0
        for _ in range(self.steps):
            x = torch.tanh(self.refine(x))
            taken += 1
            p = self.sure(x).sigmoid().mean()
            cost += 1 - p
            # enough is enough
            if p > 0.5:
                break
        return x, cost / taken


inputs = [(torch.linspace(-2, 3, 8).view(2, 4) * scale,) for scale in (1.0, 40.0, -40.0)]
# mended: EDB101
