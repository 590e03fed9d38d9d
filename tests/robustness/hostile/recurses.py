# expected: eager-error
"""Calls itself without end."""

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return self.forward(x)
