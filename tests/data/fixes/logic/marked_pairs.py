"""Distances of the pairs that are both marked."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask):
        total = x.new_zeros(())
        n = mask.shape[0]
        for i in range(n):
            for j in range(i + 1, n):
                if mask[i] and mask[j]:
                    total = total + (x[i] - x[j]).abs().sum()
        return total


x = torch.linspace(-2, 2, 8).view(4, 2)
inputs = [(x, torch.tensor([True, False, True, True])), (x.flip(0), torch.tensor([False, False, True, False]))]
# mended: EDB101
