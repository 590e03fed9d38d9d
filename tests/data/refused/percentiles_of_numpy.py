"""Normalisation by percentiles, and a threshold by the median, in numpy."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, low=1, high=99):
        super().__init__()
        self.low, self.high = low, high
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        values = x.detach().cpu().numpy()
        low, high = np.percentile(values, [self.low, self.high])
        middle = np.median(values, axis=1, keepdims=True)
        spread = np.ptp(values, axis=0)
        level = np.quantile(np.abs(values), 0.75)
        z = (x - low) / (high - low + 1e-3)  # both are numbers
        above = torch.from_numpy(values > middle)
        y = torch.where(above, z, torch.zeros_like(z)) * torch.from_numpy(spread)
        return self.linear(y) * level


inputs = [(torch.randn(3, 4),), (torch.randn(3, 4) * 5,)]
# refused: 15 no-equivalent, 16 no-equivalent, 17 no-equivalent, 18 no-equivalent, 19 no-equivalent
