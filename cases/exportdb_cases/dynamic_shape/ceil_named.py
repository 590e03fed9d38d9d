import math

import torch


class CeilNamed(torch.nn.Module):
    """`math.ceil(n / 2)` of a size under a named Dim."""

    def forward(self, x):
        return x[: math.ceil(x.shape[0] / 2)]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = CeilNamed()
twin = "floor_dynamic_ok"
