"""Small numbers that are passed to the branches as operands."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, eps=1e-3):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.linspace(0.5, 1.5, 4))

    def forward(self, x):
        spread = x.var(-1, keepdim=True, unbiased=False)

        def normalise(x, spread):
            # Enough spread to divide by.
            return x / (spread + self.eps) ** 0.5

        def leave(x, spread):
            return x * 0.5 + spread * self.eps

        y = torch.cond(spread.min() > 0.1, normalise, leave, (x, spread))
        return y * self.gain


inputs = [(torch.linspace(-2, 2, 8).view(2, 4),), (torch.ones(2, 4),)]
# mended: EDB602
