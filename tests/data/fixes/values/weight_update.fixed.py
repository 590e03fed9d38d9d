"""Writes through .data: an assignment, an augmented one, a slice, a method."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("seen", torch.zeros(3))
        self.register_buffer("last", torch.zeros(2, 3))

    def forward(self, x):
        # Exponential average.
        with torch.no_grad():
            self.mean.copy_(self.mean * 0.9 + x.mean(0) * 0.1)
            self.seen.add_(x.sum(0))  # in place
            self.last.copy_(x)
            self.last[0] = 1.0
        return x - self.mean + self.seen * self.last


inputs = [(torch.ones(2, 3) * s,) for s in (0.25, -1.5, 2)]
# mended: EDB201
