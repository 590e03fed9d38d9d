import numpy as np
import torch


class NumpyKeptStackedOk(torch.nn.Module):
    """The same powers as a buffer."""

    def __init__(self):
        super().__init__()
        steps = np.linspace(0, 1, 4, dtype=np.float32)
        powers = np.stack([steps**power for power in range(2)])
        self.register_buffer("powers", torch.from_numpy(powers))

    def forward(self, x):
        return x @ self.powers


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptStackedOk()
