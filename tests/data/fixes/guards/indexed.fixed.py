"""Places of what a mask selects, counted before they are used."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(3, 3)

    def forward(self, x, mask):
        x = self.proj(x)
        places = mask.any(dim=1).nonzero().squeeze(1)
        x[places] = 0.0
        x = x.index_fill(0, places, 1.0)
        rows, columns = torch.where(mask)
        x[rows, columns] = -1.0
        pairs = torch.nonzero(mask)
        x[pairs[:, 0], pairs[:, 1]] = 3.0
        return x


x = torch.randn(4, 3)
none = torch.zeros(4, 3, dtype=torch.bool)
inputs = [(x, none), (x, x > 0), (x, ~none)]
# mended: EDB103
