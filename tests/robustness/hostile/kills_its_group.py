# expected: crash
"""Kills every process of its group."""

import os
import signal

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        os.killpg(0, signal.SIGKILL)
        return x
