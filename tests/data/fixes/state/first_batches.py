"""An observer of the range of the first batches, and a quantisation by it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, bits=4, batches=2):
        super().__init__()
        self.levels = 2**bits - 1
        self.batches = batches
        self.low, self.high = float("inf"), float("-inf")
        self.seen = 0
        self.linear = nn.Linear(4, 3)

    def observe(self, x):
        self.low = min(self.low, x.min().item())
        self.high = max(self.high, x.max().item())
        self.seen += 1

    def forward(self, x):
        x = self.linear(x)
        if self.seen < self.batches:
            self.observe(x)
        low, high = min(self.low, 0.0), max(0.0, self.high)
        scale = (high - low) / self.levels
        if scale == 0:  # nothing was seen but zeros
            return x
        zero = round(-low / scale)
        steps = torch.clamp(torch.round(x / scale) + zero, 0, self.levels)
        return (steps - zero) * scale


inputs = [(torch.randn(2, 4) * i,) for i in range(1, 5)]
# mended: EDB101 EDB401
