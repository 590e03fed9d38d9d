"""The length of a batch, as a number."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        n = x.shape[0]
        weight = 1.0 / torch.sym_float(n)
        return (x * weight).sum(0) + x.shape[0]


example_args = (torch.ones(4, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
model = Net()
inputs = [(torch.ones(4, 3),), (torch.ones(6, 3),)]
# mended: EDB304
