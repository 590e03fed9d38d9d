import numpy as np
import torch


class NumpyKeptIndex(torch.nn.Module):
    """Columns that numpy chose in the constructor: strict export makes an index of them that has no values."""

    def __init__(self):
        super().__init__()
        self.columns = np.array([2, 0])

    def forward(self, x):
        return x[:, self.columns]


example_args = (torch.randn(3, 4),)
tags = {"torch.dynamic-value"}
model = NumpyKeptIndex()
