# expected: ok
"""Closes every descriptor that there is."""

import os

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        os.closerange(0, 65536)

    def forward(self, x):
        return x + 1
