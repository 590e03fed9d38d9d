import math

import torch


class MathLogAuto(torch.nn.Module):
    """`math.log` of a size."""

    def forward(self, x):
        return x * math.log(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = MathLogAuto()
twin = "math_sqrt_ok"
