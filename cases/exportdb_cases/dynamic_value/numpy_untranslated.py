import numpy as np
import torch


class NumpyUntranslated(torch.nn.Module):
    """A function of numpy that torch does not translate."""

    def forward(self, x):
        return x * float(np.interp(0.5, [0.0, 1.0], [2.0, 4.0]))


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyUntranslated()
