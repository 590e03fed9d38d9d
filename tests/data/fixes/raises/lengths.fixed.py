"""Lengths that do not fit the batch are refused, with two messages."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, lengths):
        torch._assert_async(~(lengths > x.shape[1]).any(), "a length beyond the end")
        torch._assert_async(~(lengths <= 0).any(), "a length that is not positive")
        keep = torch.arange(x.shape[1]) < lengths.unsqueeze(1)
        return (x * keep.unsqueeze(-1)).sum(1) / lengths.unsqueeze(1)


x = torch.arange(12.0).view(2, 3, 2)
inputs = [(x, torch.tensor([3, 1])), (x, torch.tensor([3, 4])), (x, torch.tensor([0, 2]))]
# mended: EDB101 EDB104
