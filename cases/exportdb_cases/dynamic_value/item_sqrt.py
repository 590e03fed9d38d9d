import math

import torch


class ItemSqrt(torch.nn.Module):
    """`math.sqrt` of a number from a tensor."""

    def forward(self, x):
        return x / math.sqrt(x.abs().sum().item())


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value", "python.standard-library"}
model = ItemSqrt()
twin = "item_math_ok"
