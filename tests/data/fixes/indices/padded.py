"""Slices with bounds from data that are written with what requires grad."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 3, 4), torch.tensor([2, 3]), torch.tensor(1))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)
        self.register_buffer("cache", torch.zeros(2, 8, 4))

    def forward(self, x, lengths, position):
        y = self.project(x)
        start = position.item()
        self.cache[:, start : start + x.shape[1]] = y
        out = torch.zeros_like(y)
        for row, length in enumerate(lengths.tolist()):
            out[row, :length] = y[row, :length]  # what is behind it stays zero
        z = y.clone()
        z[:, start:] *= 2
        return out, z, self.cache.sum(1)


inputs = [
    (torch.randn(2, 3, 4), torch.tensor([2, 3]), torch.tensor(1)),
    (torch.randn(2, 3, 4), torch.tensor([1, 2]), torch.tensor(0)),
]
# mended: EDB206
