import numpy as np
import torch


class NumpyKeptUnaskedOk(torch.nn.Module):
    """What numpy computed in the constructor may be passed on, measured, asserted, and give a size."""

    def __init__(self):
        super().__init__()
        self.scale = np.sqrt(2)
        self.width = np.prod([1, 2])
        self.window = np.hanning(2)

    def forward(self, x):
        assert self.scale
        if self.scale is None:
            return x
        return x.reshape(-1, len(self.window)) + torch.zeros(self.width) + self.window.shape[0]


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptUnaskedOk()
