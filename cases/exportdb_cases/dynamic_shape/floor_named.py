import math

import torch


class FloorNamed(torch.nn.Module):
    """`math.floor(n / 2)` of a size under a named Dim."""

    def forward(self, x):
        return x[: math.floor(x.shape[0] / 2)]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = FloorNamed()
twin = "floor_dynamic_ok"
