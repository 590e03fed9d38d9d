# expected: ok
"""Removes the directory that it runs in."""

import os
import shutil

from torch import nn

shutil.rmtree(os.getcwd())


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + 1
