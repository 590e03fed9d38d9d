"""Limits and roots by numpy."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        limited = torch.clamp(x, -1.0, 1.0)
        root = torch.sqrt(torch.abs(limited))
        return root.sum(0) + x


inputs = [(torch.linspace(-3, 3, 6).view(2, 3),), (torch.zeros(2, 3),)]
# mended: EDB204
