"""Statistics by numpy, on the way."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        array = x.detach().numpy()
        mean = np.mean(array, axis=0, keepdims=True)
        spread = np.std(array, axis=0, keepdims=True)
        y = (array - mean) / (spread + 1e-5)
        return torch.from_numpy(y) * 2


inputs = [(torch.arange(6.0).view(3, 2),), (torch.ones(3, 2),)]
# mended: EDB204
