"""A power that is reached by doubling."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, n):
        y = x
        count = n.item()
        for i in range(count):
            y = y * x + i
        return y


inputs = [(torch.full((3,), 0.5), torch.tensor(4)), (torch.full((3,), 0.5), torch.tensor(0))]
# mended: EDB106
