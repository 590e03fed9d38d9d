# expected: ok|crash|eager-error|fails
"""Takes builtins away from everybody."""

import builtins

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        builtins.isinstance = builtins.len = builtins.open = None
        return x + 1
