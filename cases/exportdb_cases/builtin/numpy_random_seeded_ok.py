import numpy as np
import torch


class NumpyRandomSeededOk(torch.nn.Module):
    """The number is drawn before tracing."""

    def __init__(self):
        super().__init__()
        np.random.seed(0)
        self.offset = float(np.random.rand())

    def forward(self, x):
        return x + self.offset


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = NumpyRandomSeededOk()
