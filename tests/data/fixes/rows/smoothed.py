"""A running average over rows, weighed by their place."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, decay=0.75, width=3):
        super().__init__()
        self.decay = decay
        self.project = nn.Linear(width, width)

    def forward(self, x):
        x = self.project(x)
        kept = torch.zeros_like(x[0])
        weight = torch.zeros(3)
        for i, row in enumerate(x):
            kept = kept * self.decay + row * (1 - self.decay)
            weight = weight + row.abs() * i
        return kept, weight


dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.linspace(-1, 1, 12).view(4, 3),)
model = Net()
inputs = [(torch.linspace(-1, 1, 3 * n).view(n, 3),) for n in (4, 2, 6)]
# mended: EDB303
