# expected: eager-error
"""Replaces a built-in function that everything else needs."""

import builtins

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x + 1


def refuse(*arguments):
    raise RuntimeError("no isinstance any more")


builtins.isinstance = refuse
