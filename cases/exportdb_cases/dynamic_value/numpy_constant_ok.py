import numpy as np
import torch


class NumpyConstantOk(torch.nn.Module):
    """numpy on Python numbers runs while tracing and gives a constant."""

    def __init__(self):
        super().__init__()
        self.width = 2

    def forward(self, x):
        return x / float(np.sqrt(self.width))


example_args = (torch.rand(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyConstantOk()
