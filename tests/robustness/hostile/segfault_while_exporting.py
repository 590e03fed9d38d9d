# expected: crash
"""Runs in eager, dies only under export."""

import ctypes

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        if torch.compiler.is_compiling():
            ctypes.string_at(0)
        return x
