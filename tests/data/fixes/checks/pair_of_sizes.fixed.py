"""Lists of numbers from data that must be equal to others: each pair is a part of what is checked."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, size):
        height, width = size.tolist()
        torch._assert_scalar((height == 8) & (2 == width), "wrong size")
        return x * 2


inputs = [
    (torch.ones(2, 3), torch.tensor([8, 2])),
    (torch.zeros(2, 3), torch.tensor([8, 2])),
]
# mended: EDB103
