import math

import torch


class MathPowNamed(torch.nn.Module):
    """`math.pow` of a size, under a named Dim."""

    def forward(self, x):
        return x * math.pow(x.shape[0], 2)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = MathPowNamed()
twin = "int_of_size_ok"
