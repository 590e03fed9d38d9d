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
        self.low.copy_(torch.where(smallest < self.low, smallest, self.low))
        self.high.copy_(torch.where(largest > self.high, largest, self.high))
        self.std = x.std(0, keepdim=True)
        # A constant column has no scale.
        self.std = torch.where((self.std == 0).any(), self.std + 1e-5, self.std)
        return (x - self.low) * self.std, self.high.clone()


inputs = [(torch.randn(4, 3),), (torch.zeros(4, 3),), (torch.randn(4, 3) * 5,)]
# mended: EDB101 EDB401
