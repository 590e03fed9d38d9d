# expected: crash
"""Leaves by os._exit before it has a model."""

import os

from torch import nn

os._exit(3)


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x
