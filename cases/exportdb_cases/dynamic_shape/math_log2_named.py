import math

import torch


class MathLog2Named(torch.nn.Module):
    """The next power of two of a size, by `math.log2`, under a named Dim."""

    def forward(self, x):
        padded = 2 ** math.ceil(math.log2(x.shape[0]))
        return torch.nn.functional.pad(x, (0, 0, 0, padded - x.shape[0]))


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = MathLog2Named()
twin = "shape_modulo_ok"
