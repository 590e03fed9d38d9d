# expected: ok
"""Starts 50 children that would stay for a quarter of an hour."""

import subprocess

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for _ in range(50):
            subprocess.Popen(["sleep", "900"])

    def forward(self, x):
        return x + 1
