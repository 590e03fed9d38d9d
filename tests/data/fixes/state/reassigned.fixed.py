"""Buffers that are given new tensors instead of being written."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("count", torch.tensor(0))
        self.register_buffer("last", torch.zeros(2, 3), persistent=False)

    def forward(self, x):
        self.count.copy_(self.count + 1)
        # A mean that runs along.
        self.mean.copy_(self.mean + (x.mean(0) - self.mean) / self.count)
        y = x - self.last
        self.last.copy_(x)
        return y - self.mean, self.count.clone()


example_args = (torch.randn(2, 3),)
model = Net()
inputs = [(torch.ones(2, 3),), (torch.full((2, 3), -2.0),), (torch.zeros(2, 3),)]
# mended: EDB401
