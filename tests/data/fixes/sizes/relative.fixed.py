"""Positions relative to the length, and a part of the tokens that is an int."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.mix = nn.Linear(width, width)

    def forward(self, tokens):
        batch, length, _ = tokens.shape
        scale = 1.0 / torch.sym_float(length)
        place = torch.arange(length, device=tokens.device) * scale
        first = tokens[:, : length // 2]
        # A mean that knows how many there are.
        return self.mix(tokens) + place[:, None], first.sum(1) / tokens.shape[0]


dynamic_shapes = {"tokens": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
example_args = (torch.linspace(-1, 1, 60).view(3, 5, 4),)
model = Net()
inputs = [(torch.linspace(-1, 1, 4 * b * n).view(b, n, 4),) for b, n in ((3, 5), (2, 8), (4, 4))]
# mended: EDB304
