import numpy as np
import torch


class NumpyKeptArray(torch.nn.Module):
    """A window that numpy computed in the constructor: strict export makes a tensor of it that has no values."""

    def __init__(self):
        super().__init__()
        self.window = np.hanning(4).astype(np.float32)

    def forward(self, x):
        return x * torch.from_numpy(self.window)


example_args = (torch.randn(3, 4),)
tags = {"torch.dynamic-value"}
model = NumpyKeptArray()
