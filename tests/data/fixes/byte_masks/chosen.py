"""A choice between two tensors by a mask of uint8, in a function of the file."""

import torch
from torch import nn


def leaky(value, mask, slope):
    return torch.where(mask, value, value * slope)  # slope where the mask is 0


class Net(nn.Module):
    def forward(self, x):
        return leaky(x, (x > 0).byte(), 0.1)


inputs = [(torch.linspace(-1, 1, 6).view(2, 3),), (-torch.ones(2, 3),)]
# mended: EDB211
