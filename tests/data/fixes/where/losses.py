"""Losses over what a mask selects, and zero where it selects nothing."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x, target):
        loss = (self.layer(x) - target).abs()
        positive = target > 0.5
        # each over its own elements
        first = loss[positive].mean() if positive.any() else 0
        second = loss[~positive].mean() if (~positive).any() else 0.0
        valid = ~torch.isnan(target)
        if valid.any():
            third = ((x[valid] - target[valid]) ** 2).mean()
        else:
            third = torch.tensor(0.0)
        fourth = x[positive].norm() if positive.sum() > 0 else x.new_zeros(())
        return first * 2 + second + third, fourth


x = torch.arange(4.0) / 4
inputs = [(x, x * 1), (x, x - 1), (x, x + 1), (x, x * torch.nan)]
# mended: EDB101
