"""A mode that its parameter is bound to as a number."""

import torch
from torch import nn


# exportdb: args=(torch.randn(3, 4), torch.tensor(1))
class Net(nn.Module):
    def forward(self, x, mode):
        mode = mode.item()
        if mode == 0:
            return x.relu()
        elif mode == 1:
            return x.tanh()
        return x.sigmoid()


inputs = [(torch.randn(3, 4), torch.tensor(mode)) for mode in range(3)]
# mended: EDB101 EDB103
