import math

import torch


class MathOfTensor(torch.nn.Module):
    """A function of `math` on a tensor."""

    def forward(self, x):
        return x / math.sqrt(x.abs().sum())


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value", "python.standard-library"}
model = MathOfTensor()
twin = "item_math_ok"
