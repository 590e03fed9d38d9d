"""A cache that neither branch gives back yet."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.short = nn.Linear(width, width)
        self.long = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, width))

    def forward(self, x):
        def brief(x):
            y = self.short(x)
            return y, y.mean()

        def full(x):
            y = self.long(x)
            return y, y.sum()

        outputs = torch.cond(x.norm() < 2, brief, full, (x,))
        return outputs[0] + outputs[1]


inputs = [(torch.linspace(-1, 1, 8).view(2, 4) * k,) for k in (0.5, 3.0)]
# mended: EDB603
