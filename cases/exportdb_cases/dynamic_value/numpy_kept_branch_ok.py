import numpy as np
import torch


class NumpyKeptBranchOk(torch.nn.Module):
    """A branch on the same number as Python's own."""

    def __init__(self):
        super().__init__()
        self.rate = np.prod([2, 3]).item()

    def forward(self, x):
        if self.rate > 4:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptBranchOk()
