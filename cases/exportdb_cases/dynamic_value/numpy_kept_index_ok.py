import numpy as np
import torch


class NumpyKeptIndexOk(torch.nn.Module):
    """The same columns as a list of Python's numbers."""

    def __init__(self):
        super().__init__()
        self.columns = np.array([2, 0]).tolist()

    def forward(self, x):
        return x[:, self.columns]


example_args = (torch.randn(3, 4),)
tags = {"torch.dynamic-value"}
model = NumpyKeptIndexOk()
