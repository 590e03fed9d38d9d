import numpy as np
import torch


class NumpyKeptFactorOk(torch.nn.Module):
    """The same weights as a buffer."""

    def __init__(self):
        super().__init__()
        self.register_buffer("weights", torch.from_numpy(np.linspace(0, 1, 4, dtype=np.float32)))

    def forward(self, x):
        return x * self.weights


example_args = (torch.randn(3, 4),)
tags = {"torch.dynamic-value"}
model = NumpyKeptFactorOk()
