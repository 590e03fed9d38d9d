"""Boxes that one call picks by a mask of bytes, another by their places."""

import torch
from torch import nn


class Boxes:
    def __init__(self, corners):
        self.corners = corners

    def __getitem__(self, item):
        return Boxes(self.corners[item])


class Net(nn.Module):
    def forward(self, x):
        boxes = Boxes(x)
        kept = boxes[(x.sum(1) > 0).byte()]
        best = boxes[x.sum(1).argsort()]
        return kept.corners.sum(), best.corners


example_args = (torch.randn(3, 4),)
model = Net()
inputs = [(torch.randn(3, 4),)]
# refused: 12 type-unknown
