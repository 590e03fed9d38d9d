import numpy as np
import torch


class NumpyKeptConvertedOk(torch.nn.Module):
    """The number is converted in the constructor."""

    def __init__(self):
        super().__init__()
        self.gain = float(np.sqrt(2))

    def forward(self, x):
        gain = float(self.gain)
        if gain != 1:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptConvertedOk()
