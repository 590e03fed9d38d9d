"""A quantiser that refuses what is out of range, in a branch."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, levels=4):
        super().__init__()
        self.levels = levels

    def forward(self, x):
        def quantise(x):
            steps = (x * self.levels).floor()
            return steps / self.levels

        inside = (x >= 0).all() & (x <= 1).all()
        torch._assert_async(inside, "the quantiser wants numbers from 0 to 1")
        codes = quantise(x)
        # The error that is left.
        return codes, x - codes


inputs = [(torch.linspace(0, 1, 6).view(2, 3),), (torch.linspace(0, 2, 6).view(2, 3),), (-torch.ones(2, 3),)]
# mended: EDB604
