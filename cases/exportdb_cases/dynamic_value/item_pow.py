import math

import torch


class ItemPow(torch.nn.Module):
    """`math.pow` of a number from a tensor."""

    def forward(self, x):
        return x * math.pow(x.abs().sum().item(), 2)


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value", "python.standard-library"}
model = ItemPow()
twin = "item_math_ok"
