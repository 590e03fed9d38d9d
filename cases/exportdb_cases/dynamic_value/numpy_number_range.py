import numpy as np
import torch


class NumpyNumberRange(torch.nn.Module):
    """A loop whose count comes from a numpy function."""

    def forward(self, x):
        for i in range(np.lcm(1, 3)):
            x = x + i
        return x


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyNumberRange()
twin = "numpy_number_ok"
