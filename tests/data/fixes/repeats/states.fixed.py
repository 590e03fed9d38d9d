"""The first state of a recurrent encoder for a batch of any size, written to afterwards."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.register_buffer("first", torch.linspace(-1, 1, width))
        self.cell = nn.GRUCell(2, width)

    def forward(self, x):
        h = self.first.expand(x.shape[0], *self.first.shape).clone(
            memory_format=torch.contiguous_format
        )
        h[0] = 0  # the states only
        for _ in range(2):
            h = self.cell(x, h)
        return h, self.first * 2


dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(3, 2),)
model = Net()
inputs = [(torch.ones(3, 2),), (-torch.ones(2, 2),), (torch.ones(6, 2),)]
# mended: EDB307
