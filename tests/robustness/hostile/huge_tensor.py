# expected: out-of-memory
"""Asks for more memory than it may have, at once."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x.sum() + torch.zeros(10**11).sum()
