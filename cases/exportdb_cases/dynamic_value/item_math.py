import math

import torch


class ItemMath(torch.nn.Module):
    """A function of `math` on a number from a tensor."""

    def forward(self, x):
        return x * math.floor(x.abs().sum().item())


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value", "python.standard-library"}
model = ItemMath()
twin = "item_math_ok"
