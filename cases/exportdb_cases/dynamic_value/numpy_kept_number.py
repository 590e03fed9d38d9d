import numpy as np
import torch


class NumpyKeptNumber(torch.nn.Module):
    """A factor that numpy computed in the constructor: strict export makes a tensor of it that has no value."""

    def __init__(self):
        super().__init__()
        self.scale = np.sqrt(2)

    def forward(self, x):
        return x * self.scale


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptNumber()
