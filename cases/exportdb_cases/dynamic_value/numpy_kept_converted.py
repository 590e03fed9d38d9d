import numpy as np
import torch


class NumpyKeptConverted(torch.nn.Module):
    """A branch on a number that the call converts from one that numpy computed in the constructor."""

    def __init__(self):
        super().__init__()
        self.gain = np.sqrt(2)

    def forward(self, x):
        gain = float(self.gain)
        if gain != 1:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptConverted()
