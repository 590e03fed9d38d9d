import numpy as np
import torch


class NumpyReduce(torch.nn.Module):
    """The method of a numpy function."""

    def forward(self, x):
        return x * np.lcm.reduce([2, 3])


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyReduce()
twin = "numpy_number_ok"
