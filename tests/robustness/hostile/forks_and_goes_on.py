# expected: ok
"""Two processes come back from one constructor: only the first may report."""

import os

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        os.fork()

    def forward(self, x):
        return x + 1
