# expected: timeout
"""Runs in eager, hangs only under export."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        while torch.compiler.is_compiling():
            pass
        return x
