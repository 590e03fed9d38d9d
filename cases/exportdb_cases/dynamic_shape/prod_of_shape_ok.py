import math

import torch


class ProdOfShapeOk(torch.nn.Module):
    """The product of sizes by `math.prod`, and the numbers that a tensor has: both stay symbolic."""

    def forward(self, x):
        return x.sum() / (math.prod(x.shape[1:]) * x.numel())


example_args = (torch.randn(4, 3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = ProdOfShapeOk()
