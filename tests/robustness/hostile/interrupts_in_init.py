# expected: eager-error
"""Raises KeyboardInterrupt in the constructor."""

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        raise KeyboardInterrupt

    def forward(self, x):
        return x
