"""Vectors are scaled where their length allows it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, limit=1.5):
        super().__init__()
        self.limit = limit
        self.linear = nn.Linear(3, 3)

    def unit(self, x):
        scale = x.abs().max()
        if scale == 0:
            return x
        return x / scale

    def forward(self, x, y):
        norm = x.norm()
        if norm > 0:
            # Nothing to scale otherwise.
            x = x / norm
        total = torch.linalg.vector_norm(y)
        ratio = self.limit / (total + 1e-6)
        y = y * ratio if ratio < 1 else y
        return self.linear(x), self.unit(y)


inputs = [
    (torch.linspace(-1, 1, 6).view(2, 3), torch.linspace(-9, 9, 6).view(2, 3)),
    (torch.zeros(2, 3), torch.linspace(-0.1, 0.1, 6).view(2, 3)),
    (torch.linspace(1, 4, 6).view(2, 3), torch.zeros(2, 3)),
]
# mended: EDB101
