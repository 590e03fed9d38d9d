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
        first = torch.where(positive.any(), loss[positive].mean(), 0)
        second = torch.where((~positive).any(), loss[~positive].mean(), 0.0)
        valid = ~torch.isnan(target)
        third = torch.where(
            valid.any(), ((x[valid] - target[valid]) ** 2).mean(), torch.tensor(0.0)
        )
        fourth = torch.where(positive.sum() > 0, x[positive].norm(), x.new_zeros(()))
        return first * 2 + second + third, fourth


x = torch.arange(4.0) / 4
inputs = [(x, x * 1), (x, x - 1), (x, x + 1), (x, x * torch.nan)]
# mended: EDB101
