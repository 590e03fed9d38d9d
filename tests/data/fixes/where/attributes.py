"""Statistics of the module that a condition on data updates."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("low", torch.tensor(float("inf")))
        self.register_buffer("high", torch.tensor(float("-inf")))

    def forward(self, x):
        smallest, largest = x.min(), x.max()
        if smallest < self.low:
            self.low = smallest
        if largest > self.high:
            self.high = largest
        self.std = x.std(0, keepdim=True)
        # A constant column has no scale.
        if (self.std == 0).any():
            self.std = self.std + 1e-5
        return (x - self.low) * self.std, self.high


inputs = [(torch.randn(4, 3),), (torch.zeros(4, 3),), (torch.randn(4, 3) * 5,)]
# mended: EDB101 EDB401
