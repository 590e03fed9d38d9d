"""A branch on `.item()` and on the size of a selection, with `not` and a chain."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bias", torch.arange(4.0))

    def forward(self, x):
        count = (x > 0).sum().item()
        if not count > 3:
            x = x + self.bias
        if 1 < count < 6:
            x = x * 2
        else:
            x = x - 1
        return x


inputs = [(torch.tensor([[1.0, -1, 1, -1], [1, -1, 1, -1]]),), (torch.ones(2, 4),), (-torch.ones(2, 4),)]
# mended: EDB103
