import numpy as np
import torch


class NumpyFunction(torch.nn.Module):
    """A numpy function on a tensor needs the memory of the tensor."""

    def forward(self, x):
        return torch.as_tensor(np.log1p(x))


example_args = (torch.rand(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyFunction()
twin = "numpy_free_ok"
