"""A penalty that begins with 0 and is divided by the number of calls."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim=4, depth=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(dim, dim) for _ in range(depth)])
        self.register_buffer("calls", torch.tensor(0), persistent=False)

    def penalty(self):
        total = 0.0
        for layer in self.layers:
            total = total + layer.weight.abs().mean()  # of all layers
        return total

    def forward(self, x):
        self.calls += 1
        for layer in self.layers:
            x = x + layer(x)
        return x, self.penalty() / self.calls


inputs = [(torch.randn(2, 4),) for _ in range(4)]
# mended: EDB401
