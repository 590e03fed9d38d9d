"""Early return with nothing but a return after it; a safe one; a not."""

import torch
from torch import nn


class Net(nn.Module):
    def scaled(self, x):
        if x.mean() > 1:
            return x * 2
        return x

    def forward(self, x, mask):
        y = self.scaled(x) + 1
        if not mask.all():
            z = torch.zeros_like(y)
        else:
            z = y.clamp(0, 3)
        return z - y


m = torch.tensor([True, True])
inputs = [(torch.ones(2, 2) * s, k) for s in (0.5, 3.0) for k in (m, ~m)]
# mended: EDB101
