"""Tuples of numbers from data that are compared: each pair is a part of the predicate."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, size):
        height, width = size.tolist()
        if (height, width) != (8, 8):
            x = x + 1
        return x * 2


inputs = [
    (torch.ones(2, 3), torch.tensor([8, 8])),
    (torch.ones(2, 3), torch.tensor([8, 4])),
    (torch.ones(2, 3), torch.tensor([4, 8])),
]
# mended: EDB103
