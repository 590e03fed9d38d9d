"""Whether all parts of a pyramid have something in them."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.AvgPool1d(2)

    def forward(self, x):
        parts = [self.pool(x), self.pool(self.pool(x))]
        full = torch.stack([part.sum() > 0 for part in parts]).all()
        y = torch.cat(parts, dim=-1)
        y = torch.where(full, y * 2, y)
        return y


inputs = [(torch.ones(1, 8),), (-torch.ones(1, 8),), (torch.tensor([[-9.0, 1, 1, 1, -9, 1, 1, 1]]),)]
# mended: EDB101 EDB105
