import math

import torch


class MathSqrtNamed(torch.nn.Module):
    """`math.sqrt(n)` of a size: non-strict needs the number, under a named Dim."""

    def forward(self, x):
        return x / math.sqrt(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = MathSqrtNamed()
twin = "math_sqrt_ok"
