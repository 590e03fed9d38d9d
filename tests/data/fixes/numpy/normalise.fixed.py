"""Statistics by numpy, on the way."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        array = x.detach()
        mean = torch.mean(array, dim=0, keepdim=True)
        spread = torch.std(array, dim=0, correction=0, keepdim=True)
        y = (array - mean) / (spread + 1e-5)
        return y * 2


inputs = [(torch.arange(6.0).view(3, 2),), (torch.ones(3, 2),)]
# mended: EDB204
