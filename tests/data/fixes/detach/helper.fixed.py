"""`.data` in a helper and in a loop."""

import torch
from torch import nn


def stop(t):
    # No gradient beyond this point.
    return t.detach() * 1.0


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))

    def forward(self, x):
        total = torch.zeros_like(x)
        for layer in self.layers:
            x = layer(x)
            total = total + stop(x) - x.detach().mean()
        return total


inputs = [(torch.randn(5, 3),), (torch.zeros(5, 3),)]
# mended: EDB201
