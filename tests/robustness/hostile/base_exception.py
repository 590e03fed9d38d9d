# expected: eager-error
"""Raises what `except Exception` does not catch, and what cannot be printed."""

from torch import nn


class Unspeakable(BaseException):
    def __str__(self):
        raise RuntimeError("no")

    __repr__ = __str__


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        raise Unspeakable
