"""Positions of whole numbers, that are written into a tensor of floats."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, rows):
        places = torch.zeros(x.shape)
        for row in rows:
            places[row] = torch.arange(x.shape[1])
        return x + places


example_args = (torch.randn(3, 4), torch.tensor([0, 2]))
model = Net()
inputs = [(torch.randn(3, 4), torch.tensor([1, 2]))]
# refused: 11 dtype-may-change
