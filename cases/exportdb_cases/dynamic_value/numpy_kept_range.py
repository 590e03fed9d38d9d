import numpy as np
import torch


class NumpyKeptRange(torch.nn.Module):
    """A loop as often as a number that numpy computed in the constructor: strict export takes it for a tensor."""

    def __init__(self):
        super().__init__()
        self.steps = np.prod([2, 3])

    def forward(self, x):
        for step in range(self.steps):
            x = x * 0.5 + step
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptRange()
