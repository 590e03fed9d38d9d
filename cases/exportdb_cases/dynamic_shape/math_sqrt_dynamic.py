import math

import torch


class MathSqrtDynamic(torch.nn.Module):
    """`math.sqrt(n)` of a size: non-strict needs the number, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x / math.sqrt(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = MathSqrtDynamic()
twin = "math_sqrt_ok"
