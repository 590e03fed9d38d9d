"""Limits and roots by numpy."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        limited = np.clip(x.numpy(), -1.0, 1.0)
        root = np.sqrt(np.abs(limited))
        return torch.from_numpy(root).sum(0) + x


inputs = [(torch.linspace(-3, 3, 6).view(2, 3),), (torch.zeros(2, 3),)]
# mended: EDB204
