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
        values = x.detach().cpu()
        low, high = torch.quantile(
            values.to(torch.float64),
            torch.tensor(
                [self.low, self.high], dtype=torch.float64, device=values.device
            ) / 100,
        )
        middle = torch.quantile(values, 0.5, dim=1, keepdim=True)
        spread = (torch.amax(values, dim=0) - torch.amin(values, dim=0))
        level = torch.quantile(torch.abs(values), 0.75)
        z = (x - low) / ((high - low) + 1e-3)  # both are numbers
        above = values > middle
        y = torch.where(above, z, torch.zeros_like(z)) * spread
        return self.linear(y) * level


inputs = [(torch.randn(3, 4),), (torch.randn(3, 4) * 5,)]
# mended: EDB204
