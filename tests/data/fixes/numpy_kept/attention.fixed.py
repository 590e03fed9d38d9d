"""Scaled dot product attention whose temperature numpy computed from the width of the heads."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8, heads=2):
        super().__init__()
        self.heads = heads
        self.temperature = np.power(width // heads, 0.5).item()  # the width of a head
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-2, -1) / self.temperature, -1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))


inputs = [(torch.randn(2, 3, 8),), (torch.ones(2, 3, 8),)]
# mended: EDB210
