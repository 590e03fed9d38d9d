# expected: ok
"""Waits for somebody to type."""

import sys

from torch import nn

answer = sys.stdin.read()


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + len(answer)
