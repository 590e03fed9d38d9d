# expected: crash
"""Leaves by os._exit, with the code that means that all is well."""

import os

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        os._exit(0)
