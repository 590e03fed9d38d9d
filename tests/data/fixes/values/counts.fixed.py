"""Counts that are computed from masks, and used as numbers."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask):
        kept = mask.sum().to(torch.int64).item()
        return (x * mask).sum() / (kept + 1), x * kept


inputs = [(torch.ones(4), torch.tensor([True, False, True, True])), (torch.ones(4), torch.zeros(4, dtype=torch.bool))]
# mended: EDB203
