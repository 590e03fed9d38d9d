"""Buffers that are given what was there before."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(4))
        self.register_buffer("before", torch.zeros(4))

    def forward(self, x, parts):
        change = x - self.last
        self.before = self.last.clone()  # as it was
        self.last.copy_(parts["x"])
        return change + self.before


model = Net()
example_args = (torch.randn(4), {"x": torch.randn(4)})
inputs = [example_args, (torch.randn(4), {"x": torch.ones(4)}), (torch.zeros(4), {"x": torch.randn(4)})]
# mended: EDB401
