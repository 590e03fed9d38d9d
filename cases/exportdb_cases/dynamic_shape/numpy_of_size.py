import numpy as np
import torch


class NumpyOfSize(torch.nn.Module):
    """A function of numpy on a size."""

    def forward(self, x):
        return x / float(np.sqrt(x.shape[0]))


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.dynamic-value"}
model = NumpyOfSize()
twin = "math_sqrt_ok"
