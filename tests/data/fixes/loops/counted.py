"""The number of rounds is counted first, and is a name."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x.view(-1)
        count = (x > 0).sum().item()
        total = x.sum()
        for step in range(count):
            total = total + y.sum() * step
        return total * y


inputs = [(torch.linspace(-3, 3, 6).view(2, 3) + k,) for k in (0.0, 5.0, -5.0)]
# mended: EDB106
