import math

import torch


class MathProdOk(torch.nn.Module):
    """The product of sizes is an expression of the graph."""

    def forward(self, x):
        return x.reshape(math.prod(x.shape)).sum() / math.prod(x.shape)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = MathProdOk()
