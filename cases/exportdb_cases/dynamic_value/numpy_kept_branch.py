import numpy as np
import torch


class NumpyKeptBranch(torch.nn.Module):
    """A branch on a number that numpy computed in the constructor: strict export takes it for a tensor."""

    def __init__(self):
        super().__init__()
        self.rate = np.prod([2, 3])

    def forward(self, x):
        if self.rate > 4:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = NumpyKeptBranch()
