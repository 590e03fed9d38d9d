import numpy as np
import torch


class NumpyKeptArrayOk(torch.nn.Module):
    """The same window as a buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.from_numpy(np.hanning(4).astype(np.float32)))

    def forward(self, x):
        return x * self.window


example_args = (torch.randn(3, 4),)
tags = {"torch.dynamic-value"}
model = NumpyKeptArrayOk()
