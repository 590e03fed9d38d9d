"""Early return with nothing but a return after it; a safe one; a not."""

import torch
from torch import nn


class Net(nn.Module):
    def scaled(self, x):
        return torch.where(x.mean() > 1, x * 2, x)

    def forward(self, x, mask):
        y = self.scaled(x) + 1
        z = torch.where(mask.all(), y.clamp(0, 3), torch.zeros_like(y))
        return z - y


m = torch.tensor([True, True])
inputs = [(torch.ones(2, 2) * s, k) for s in (0.5, 3.0) for k in (m, ~m)]
# mended: EDB101
