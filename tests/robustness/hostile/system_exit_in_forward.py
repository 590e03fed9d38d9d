# expected: eager-error
"""Raises SystemExit where an answer is wanted."""

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        raise SystemExit(0)
