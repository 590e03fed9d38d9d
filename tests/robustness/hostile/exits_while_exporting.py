# expected: fails
"""Runs in eager, raises SystemExit under export."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        if torch.compiler.is_compiling():
            raise SystemExit(3)
        return x
