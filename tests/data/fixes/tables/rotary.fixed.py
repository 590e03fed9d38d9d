"""Rotary angles from a table, the same for both halves of the width."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, longest=12, width=4):
        super().__init__()
        angles = torch.outer(torch.arange(longest).float(), 1.0 / 10 ** torch.arange(0, 1, 2.0 / width))
        self.register_buffer("cos", torch.cat([angles, angles], dim=-1).cos(), persistent=False)
        self.register_buffer("sin", torch.cat([angles, angles], dim=-1).sin(), persistent=False)

    def turned(self, x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat([-second, first], dim=-1)

    def forward(self, x):
        cos = self.cos[: x.shape[1]]
        sin = self.sin[: x.shape[1]]
        return x * cos + self.turned(x) * sin


tokens = torch.export.Dim.DYNAMIC
dynamic_shapes = {"x": {1: tokens}}
example_args = (torch.ones(2, 3, 4),)
model = Net()
inputs = [(torch.linspace(-1, 1, 8 * n).view(2, n, 4),) for n in (3, 7, 12)]
# mended: EDB305
