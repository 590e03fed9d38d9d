"""Dimensions that are named as those of an ONNX model are, and a number that has no dimensions."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, scale):
        return self.linear(x) * scale


model = Net()
example_args = (torch.randn(3, 5, 4), 2)
dynamic_shapes = {"x": {0: "batch", 1: "steps"}, "scale": {}}
inputs = [(torch.ones(3, 5, 4), 2), (torch.ones(7, 9, 4), 2)]
torch.manual_seed(0)
# mended: EDB902
