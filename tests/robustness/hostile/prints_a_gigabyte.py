# expected: ok
"""Prints without measure."""

import os

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        page = b"x" * (1 << 20)
        for _ in range(1024):
            os.write(1, page)

    def forward(self, x):
        return x + 1
