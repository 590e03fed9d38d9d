"""deepcopy of an input and of a buffer, changed afterwards."""

import copy
from copy import deepcopy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("anchor", torch.arange(3.0))

    def forward(self, x):
        mine = x.clone()
        mine[0] = 0
        anchor = self.anchor.clone()
        anchor += 1
        return mine + anchor, x


inputs = [(torch.ones(2, 3) * s,) for s in (0.25, -1.5, 0)]
# mended: EDB207
