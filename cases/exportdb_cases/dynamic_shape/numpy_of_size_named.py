import numpy as np
import torch


class NumpyOfSizeNamed(torch.nn.Module):
    """A numpy function that has no meaning for a symbol, of a size under a named Dim."""

    def forward(self, x):
        return x * np.sqrt(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = NumpyOfSizeNamed()
twin = "int_of_size_ok"
