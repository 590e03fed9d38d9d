import numpy as np
import torch


class NumpyUntranslatedOk(torch.nn.Module):
    """A function of numpy that torch does not translate, computed in the constructor."""

    def __init__(self):
        super().__init__()
        self.scale = float(np.interp(0.5, [0.0, 1.0], [2.0, 4.0]))

    def forward(self, x):
        return x * self.scale


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyUntranslatedOk()
