# expected: ok|crash|eager-error|fails
"""Empties the tables of the import system."""

import sys

from torch import nn

sys.meta_path.clear()
sys.path.clear()
sys.stdout = sys.stderr = sys.stdin = None


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + 1
