# expected: ok
"""Closes every descriptor and opens others under the same numbers."""

import os

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        os.closerange(0, 65536)
        for _ in range(64):
            os.open(os.devnull, os.O_RDWR)

    def forward(self, x):
        return x + 1
