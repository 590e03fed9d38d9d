"""An attention whose mask may be None, and is passed on to the branches."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4, heads=2):
        super().__init__()
        self.heads = heads
        self.out = nn.Linear(width, width)

    def forward(self, x):
        scores = x @ x.transpose(-1, -2)
        weights = torch.cond(
            scores.abs().max() > 4,
            lambda scores: (scores / self.heads).softmax(-1),
            lambda scores: scores.softmax(-1),
            [scores],
        )
        return self.out(weights @ x)


inputs = [(torch.linspace(-1, k, 24).view(2, 3, 4),) for k in (1.0, 4.0)]
# mended: EDB602
