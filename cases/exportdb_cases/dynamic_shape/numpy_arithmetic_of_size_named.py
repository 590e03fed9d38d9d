import numpy as np
import torch


class NumpyArithmeticOfSizeNamed(torch.nn.Module):
    """A numpy function that is arithmetic of Python objects in non-strict mode, of a size under a named Dim."""

    def forward(self, x):
        return x * np.power(x.shape[0], 2)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = NumpyArithmeticOfSizeNamed()
twin = "int_of_size_ok"
