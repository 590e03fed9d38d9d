import math

import torch


class MathLogDynamic(torch.nn.Module):
    """`math.log` of a size under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x * math.log(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = MathLogDynamic()
twin = "math_sqrt_ok"
