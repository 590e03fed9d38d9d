"""A mask that becomes None where it would select nothing."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3), torch.zeros(4, 3, dtype=torch.bool))
class Net(nn.Module):
    def forward(self, x, padding):
        # Nothing to hide?
        if not padding.any():
            padding = None
        y = torch.relu(x)
        if padding is not None:
            y = y.masked_fill(padding, 0.0)
        z = y * 2
        if padding is not None:
            z[padding] = 1.0
        return y + z


x = torch.randn(4, 3)
none = torch.zeros(4, 3, dtype=torch.bool)
inputs = [(x, none), (x, x > 0), (x, ~none)]
# mended: EDB101
