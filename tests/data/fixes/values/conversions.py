"""int() and float() of tensors: of an index, of a mean, of a number that was taken out already."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, lengths):
        scale = float(x.mean())
        longest = int(lengths.max())
        part = int((x.abs().sum() * 10).item())
        share = float(lengths.sum())
        return x * scale + longest, part + share


inputs = [(torch.ones(2, 3) * s, torch.tensor([1, k])) for s, k in ((0.25, 2), (-1.5, 3), (1.99, 7))]
# mended: EDB203
