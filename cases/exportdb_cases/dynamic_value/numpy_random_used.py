import numpy as np
import torch


class NumpyRandomUsed(torch.nn.Module):
    """A number from numpy's random generator is drawn once, while tracing."""

    def forward(self, x):
        return x * float(np.random.rand())


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "torch.dynamic-value"}
model = NumpyRandomUsed()
twin = "random_used_ok"
