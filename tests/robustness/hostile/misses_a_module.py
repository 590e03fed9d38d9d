# expected: eager-error
"""Imports what nobody has."""

import a_module_that_nobody_has
from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return a_module_that_nobody_has.call(x)
