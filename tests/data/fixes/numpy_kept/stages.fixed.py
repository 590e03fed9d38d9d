"""A pyramid: how often it is halved, and by how much a level counts, are numpy's numbers."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self, size: int = 16, smallest: int = 4):
        super().__init__()
        self.levels = np.prod([1, 2]).item()
        self.share = (1 / np.log2(size)).item()
        self.eps = (np.finfo(np.float32).eps).item()
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, x):
        total = x.mean() * self.weight
        for _ in range(self.levels):
            x = F.avg_pool2d(x, 2)
            total = total + x.std() * self.share
        if self.levels > 1:
            total = total / 2
        return total / (x.abs().sum() + self.eps)


inputs = [(torch.randn(1, 1, 16, 16),), (torch.ones(1, 1, 16, 16),)]
# mended: EDB210
