"""int() and float() of tensors: of an index, of a mean, of a number that was taken out already."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, lengths):
        scale = x.mean().to(torch.float64).item()
        longest = lengths.max().to(torch.int64).item()
        part = (x.abs().sum() * 10).to(torch.int64).item()
        share = lengths.sum().to(torch.float64).item()
        return x * scale + longest, part + share


inputs = [(torch.ones(2, 3) * s, torch.tensor([1, k])) for s, k in ((0.25, 2), (-1.5, 3), (1.99, 7))]
# mended: EDB203
