import numpy as np
import torch


class NumpyDtypeOk(torch.nn.Module):
    """The dtype of the tensor."""

    def forward(self, x):
        window = torch.from_numpy(np.hanning(6))
        return x * 2 if window.dtype == torch.float64 else x


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyDtypeOk()
