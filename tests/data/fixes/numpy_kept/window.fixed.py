"""Frames that a window of numpy's weights, and their spectrum normalised by statistics of the data set."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=8, mean=(0.1, 0.2, 0.3, 0.2, 0.1)):
        super().__init__()
        self.register_buffer("window", torch.as_tensor(np.hanning(size).astype(np.float32)), persistent=False)  # of the frames
        self.register_buffer("mean", torch.as_tensor(np.array(mean)), persistent=False)
        self.register_buffer("std", torch.as_tensor(np.array([1.0, 2.0, 0.5, 1.0, 2.0])), persistent=False)

    def _normalised(self, power):
        mean = self.mean.to(power.device, power.dtype)
        std = self.std.to(power.dtype)
        return (power - mean) / std

    def forward(self, x):
        bias = self.window.clone()
        bias += x.mean()
        power = torch.fft.rfft(x * self.window).abs()
        return self._normalised(power), bias.reshape(self.window.shape[0], 1)


inputs = [(torch.randn(2, 8),), (torch.ones(2, 8),)]
# mended: EDB210
