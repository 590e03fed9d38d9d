"""`.data` read as an operand, through a method, from a parameter, and as an argument."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.codebook = nn.Parameter(torch.randn(4, 3))

    def forward(self, x):
        distance = torch.cdist(x, self.codebook.detach())
        code = distance.argmin(-1)
        quantised = self.codebook[code]
        straight = x + (quantised - x).detach()
        norm = straight.detach().norm()
        return straight / norm, code


inputs = [(torch.randn(5, 3),), (torch.zeros(5, 3),)]
# mended: EDB201
