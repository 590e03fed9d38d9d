"""A box that is put together from computed corners."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, points):
        low, high = points.min(), points.max()
        box = torch.stack([low, high, high - low])
        return box * self.scale


inputs = [(torch.arange(4.0),), (-torch.arange(4.0) * 2,)]
# mended: EDB205
