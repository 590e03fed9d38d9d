"""Several `.data` on one line, after an astral character."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        name = "😀"; scaled = x.detach() / x.detach().abs().max() + self.weight.detach()
        if name:
            scaled = scaled.detach().clone()
        return scaled


inputs = [(torch.randn(5, 3),), (torch.ones(5, 3),)]
# mended: EDB201
