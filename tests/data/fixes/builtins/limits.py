"""Counts and scales that are kept within their limits."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, most=3):
        super().__init__()
        self.most = most

    def forward(self, x):
        n = (x > 0).sum().item()
        mean = x.clamp(min=0).sum() / (n if n > 0 else 1)
        k = 1 if n < 1 else n
        if k > 3:
            k = 3
        a = x.std().item()
        if a > 2.0:
            a = 2.0
        if a < 0.5:
            a = 0.5
        return mean, x[:k].sum(), x / a


inputs = [
    (torch.tensor([1.0, -2.0, 0.5, 3.0, 2.0]),),
    (torch.tensor([-1.0, -1.1, -1.2, -1.3, -1.4]),),
    (torch.tensor([9.0, -9.0, 9.0, 9.0, 9.0]),),
]
# mended: EDB103
