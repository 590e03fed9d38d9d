"""Attention scores scaled by the root of a dynamic size."""

import math
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        scores = x @ x.transpose(-1, -2)
        return scores / (x.size(1) ** 0.5)


example_args = (torch.ones(2, 5, 4),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
model = Net()
inputs = [(torch.ones(2, 5, 4),), (torch.ones(2, 7, 4),)]
# mended: EDB304
