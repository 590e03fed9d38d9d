import math

import torch


class MathPowDynamic(torch.nn.Module):
    """`math.pow` of a size, under Dim.DYNAMIC."""

    def forward(self, x):
        return x * math.pow(x.shape[0], 2)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = MathPowDynamic()
twin = "int_of_size_ok"
