"""A check that finds out which element is to blame."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("grid", torch.linspace(0, 10, 5))

    def forward(self, x):
        low = x < self.grid.min()
        if not torch.compiler.is_exporting() and low.sum().item():
            first = low.nonzero(as_tuple=False).squeeze(1)[0].item()
            raise RuntimeError("{} is below {}".format(x[first], self.grid.min().item()))
        return torch.bucketize(x, self.grid)


inputs = [(torch.arange(3.0),), (torch.ones(3),)]
# mended: EDB103
