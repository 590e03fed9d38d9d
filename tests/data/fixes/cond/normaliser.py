"""A missing else, an augmented assignment to an intermediate, in-place writes, and a flag that Python knows."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, centre=True):
        super().__init__()
        self.centre = centre
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x, mask):
        out = x * self.weight
        if self.centre and out.mean() > 0.5:
            out -= out.mean()
        if not mask.any():
            out[0] = 0.0
            out.mul_(2)
        return out


inputs = [
    (torch.ones(3, 4), torch.tensor([True, False, True])),
    (torch.ones(3, 4), torch.tensor([False, False, False])),
    (-torch.ones(3, 4), torch.tensor([False, True, False])),
    (-torch.ones(3, 4), torch.tensor([False, False, False])),
]
# mended: EDB101
