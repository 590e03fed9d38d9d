"""A mode that its parameter is bound to as a number."""

import torch
from torch import nn


# exportdb: args=(torch.randn(3, 4), torch.tensor(1))
class Net(nn.Module):
    def forward(self, x, mode):
        return torch.where(
            mode == 0, x.relu(), torch.where(mode == 1, x.tanh(), x.sigmoid())
        )


inputs = [(torch.randn(3, 4), torch.tensor(mode)) for mode in range(3)]
# mended: EDB101 EDB103
