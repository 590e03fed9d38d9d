import numpy as np
import torch


class NumpyArithmeticOfItem(torch.nn.Module):
    """A numpy function that is arithmetic of Python objects in non-strict mode, of a number read from a tensor."""

    def forward(self, x, n):
        return x * np.power(n.item(), 2)


example_args = (torch.randn(4, 4), torch.tensor(4))
tags = {"torch.dynamic-value", "python.standard-library"}
model = NumpyArithmeticOfItem()
twin = "numpy_constant_ok"
