"""A linear fit inside the model: the line through the points of each window."""

import torch
from torch import nn


# exportdb: args=(torch.ones(5, 2), torch.ones(5, 1))
class Net(nn.Module):
    def forward(self, x, y):
        line = torch.linalg.lstsq(x, y).solution
        return x @ line - y, line


inputs = [
    (torch.linspace(-1, 1, 10).view(5, 2).sin(), torch.linspace(-4, 4, 5).view(5, 1)),
    (torch.linspace(3, -1, 10).view(5, 2).cos(), torch.linspace(2, -2, 5).view(5, 1)),
]
# mended: EDB209
