import numpy as np
import torch


class NumpyDtype(torch.nn.Module):
    """The dtype of a numpy array, which strict export does not know."""

    def forward(self, x):
        window = np.hanning(6)
        return x * 2 if window.dtype == np.float64 else x


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyDtype()
