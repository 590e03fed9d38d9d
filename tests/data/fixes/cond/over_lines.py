"""Tests that go over several lines, as the parentheses around them allow; a mask that may be missing."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, mask=True):
        super().__init__()
        self.mask = mask
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        if (self.mask
                is not None and
                x.sum()
                > 0):
            x = self.lin(x)
        if (x.max()
                > 1 and x
                .min()
                < 0):
            x = x * 2  # louder
        return x if (self.mask
            and x.mean()
            > 0) else -x


inputs = [(torch.ones(2, 3),), (-torch.ones(2, 3),), (torch.linspace(-2, 3, 6).view(2, 3),)]
# mended: EDB101
