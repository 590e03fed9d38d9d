import math

import torch


class CeilDynamicOk(torch.nn.Module):
    """`math.ceil(n / 2)` of a size under Dim.DYNAMIC."""

    def forward(self, x):
        return x[: math.ceil(x.shape[0] / 2)]


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = CeilDynamicOk()
