"""The levels of a feature pyramid, made one after the other by a generator."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=2):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv1d(width, width, 3, stride=2, padding=1) for _ in range(3)])

    def forward(self, x):
        levels = [x]
        for conv in self.convs:
            levels.append(conv(levels[-1]).relu())
        # The input is no level.
        return [level.mean(-1) for level in levels[1:]]


inputs = [(torch.linspace(-1, k, 16).view(1, 2, 8),) for k in (1.0, 4.0)]
# mended: EDB701
