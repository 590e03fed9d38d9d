# expected: eager-error
"""A script that ends itself."""

import sys

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        return x


sys.exit(0)
