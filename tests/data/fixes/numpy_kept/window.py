"""Frames that a window of numpy's weights, and their spectrum normalised by statistics of the data set."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=8, mean=(0.1, 0.2, 0.3, 0.2, 0.1)):
        super().__init__()
        self.window = np.hanning(size).astype(np.float32)  # of the frames
        self.mean, self.std = np.array(mean), np.array([1.0, 2.0, 0.5, 1.0, 2.0])

    def _normalised(self, power):
        mean = torch.tensor(self.mean, dtype=power.dtype, device=power.device)
        std = torch.as_tensor(self.std, dtype=power.dtype)
        return (power - mean) / std

    def forward(self, x):
        bias = torch.tensor(self.window)
        bias += x.mean()
        power = torch.fft.rfft(x * torch.from_numpy(self.window)).abs()
        return self._normalised(power), bias.reshape(self.window.shape[0], 1)


inputs = [(torch.randn(2, 8),), (torch.ones(2, 8),)]
# mended: EDB210
