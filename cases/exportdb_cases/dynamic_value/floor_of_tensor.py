import math

import torch


class FloorOfTensor(torch.nn.Module):
    """`math.floor` of a tensor."""

    def forward(self, x):
        return x * math.floor(x.abs().sum())


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value", "python.standard-library"}
model = FloorOfTensor()
twin = "item_math_ok"
