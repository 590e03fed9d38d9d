# expected: crash
"""Reads address 0."""

import ctypes

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        ctypes.string_at(0)
        return x
