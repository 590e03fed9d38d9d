import math

import torch


class ItemExp(torch.nn.Module):
    """`math.exp` of a number from a tensor."""

    def forward(self, x):
        return x * math.exp(-x.abs().sum().item())


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value", "python.standard-library"}
model = ItemExp()
twin = "item_math_ok"
