import numpy as np
import torch


class NumpyArithmeticOfSize(torch.nn.Module):
    """A numpy function that is arithmetic of Python objects in non-strict mode, of a size under Dim.AUTO."""

    def forward(self, x):
        return x * np.power(x.shape[0], 2)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = NumpyArithmeticOfSize()
twin = "int_of_size_ok"
