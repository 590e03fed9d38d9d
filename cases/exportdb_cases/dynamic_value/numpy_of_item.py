import numpy as np
import torch


class NumpyOfItem(torch.nn.Module):
    """A numpy function that has no meaning for a symbol, of a number read from a tensor."""

    def forward(self, x, n):
        return x * np.sqrt(n.item())


example_args = (torch.randn(4, 4), torch.tensor(4))
tags = {"torch.dynamic-value", "python.standard-library"}
model = NumpyOfItem()
twin = "numpy_constant_ok"
