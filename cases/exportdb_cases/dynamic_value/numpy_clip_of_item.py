import numpy as np
import torch


class NumpyClipOfItem(torch.nn.Module):
    """A numpy function that compares a number read from a tensor with its bounds."""

    def forward(self, x, n):
        return x * np.clip(n.item(), 0, 3)


example_args = (torch.randn(4, 4), torch.tensor(2))
tags = {"torch.dynamic-value", "python.standard-library"}
model = NumpyClipOfItem()
