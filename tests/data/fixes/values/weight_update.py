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
        self.mean.data = self.mean * 0.9 + x.mean(0) * 0.1
        self.seen.data += x.sum(0)  # in place
        self.last.data.copy_(x)
        self.last.data[0] = 1.0
        return x - self.mean + self.seen * self.last


inputs = [(torch.ones(2, 3) * s,) for s in (0.25, -1.5, 2)]
# mended: EDB201
