"""Rows in an order that a list holds, read from a tensor of one dimension."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, order):
        chosen = x[order]  # in their new order
        return chosen.cumsum(0)


model = Net()
example_args = (torch.linspace(0, 1, 8).view(4, 2), torch.tensor([2, 0, 1]))
inputs = [example_args, (torch.linspace(0, 1, 8).view(4, 2), torch.tensor([3, 3, 0]))]
# mended: EDB206
