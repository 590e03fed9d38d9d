import numpy as np
import torch


class NumpyKeptStacked(torch.nn.Module):
    """Powers of an array of the constructor's, stacked while tracing: strict export makes tensors of them without values."""

    def __init__(self):
        super().__init__()
        self.steps = np.linspace(0, 1, 4, dtype=np.float32)

    def forward(self, x):
        powers = np.stack([self.steps**power for power in range(2)])
        return x @ torch.from_numpy(powers)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptStacked()
