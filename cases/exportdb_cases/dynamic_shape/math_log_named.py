import math

import torch


class MathLogNamed(torch.nn.Module):
    """`math.log` of a size, under a named Dim."""

    def forward(self, x):
        return x * math.log(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = MathLogNamed()
twin = "math_sqrt_ok"
