"""Tables that a call makes and registers, to be found by later calls."""

import torch
from torch import nn


class Net(nn.Module):
    """Tables that are made longer where they are too short, of which one is read again after it was registered."""

    def __init__(self):
        super().__init__()
        self.register_buffer("cos", None, persistent=False)
        self.register_buffer("sin", None, persistent=False)

    def tables(self, n):
        if self.cos is not None and self.cos.shape[0] >= n:
            return self.cos[:n], self.sin[:n]
        angles = torch.arange(n)[:, None] * torch.tensor([1.0, 0.1])
        cos, sin = angles.cos(), angles.sin()
        # They are found by the next call.
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        return self.cos, sin

    def forward(self, x):
        cos, sin = self.tables(x.shape[0])
        return x * cos + x.flip(1) * sin


inputs = [(torch.randn(3, 2),), (torch.ones(3, 2),)]
# mended: EDB405
