import numpy as np
import torch


class NumpyRandomArray(torch.nn.Module):
    """An array that numpy draws while tracing is a constant of the graph."""

    def forward(self, x):
        noise = np.random.randn(*x.shape)
        return x + torch.from_numpy(noise).to(x.dtype)


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "torch.dynamic-value"}
model = NumpyRandomArray()
twin = "random_used_ok"
