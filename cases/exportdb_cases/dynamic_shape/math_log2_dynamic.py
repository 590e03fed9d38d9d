import math

import torch


class MathLog2Dynamic(torch.nn.Module):
    """`math.log2` of a size under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x * math.log2(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = MathLog2Dynamic()
twin = "math_sqrt_ok"
