"""Layers that count in Python how many of them were used."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        used = x.new_zeros((), dtype=torch.int64)
        loss = x.new_zeros(())
        for layer in self.layers:
            y = layer(x)
            used = torch.where(y.mean() > 0, used + 1, used)
            loss = torch.where(y.mean() > 0, loss + y.pow(2).mean(), loss)
            x = torch.where(y.mean() > 0, y, x)
        return x / (used + 1), loss / 3


inputs = [(torch.linspace(-2, 3, 8).view(2, 4) * scale,) for scale in (1.0, 9.0, -9.0)]
# mended: EDB101
