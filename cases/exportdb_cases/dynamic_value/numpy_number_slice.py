import numpy as np
import torch


class NumpyNumberSlice(torch.nn.Module):
    """A number from a numpy function as the bound of a slice."""

    def forward(self, x):
        return x[:, : np.lcm(1, 3)]


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyNumberSlice()
twin = "numpy_number_ok"
