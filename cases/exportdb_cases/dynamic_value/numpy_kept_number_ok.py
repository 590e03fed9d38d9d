import numpy as np
import torch


class NumpyKeptNumberOk(torch.nn.Module):
    """The same number as Python's own."""

    def __init__(self):
        super().__init__()
        self.scale = float(np.sqrt(2))

    def forward(self, x):
        return x * self.scale


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptNumberOk()
