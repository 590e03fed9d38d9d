"""Counts and scales that are kept within their limits."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, most=3):
        super().__init__()
        self.most = most

    def forward(self, x):
        n = (x > 0).sum().item()
        mean = x.clamp(min=0).sum() / torch.sym_max(n, 1)
        k = torch.sym_max(n, 1)
        k = torch.sym_min(k, 3)
        a = x.std().item()
        a = torch.sym_min(a, 2.0)
        a = torch.sym_max(a, 0.5)
        return mean, x[:k].sum(), x / a


inputs = [
    (torch.tensor([1.0, -2.0, 0.5, 3.0, 2.0]),),
    (torch.tensor([-1.0, -1.1, -1.2, -1.3, -1.4]),),
    (torch.tensor([9.0, -9.0, 9.0, 9.0, 9.0]),),
]
# mended: EDB103
