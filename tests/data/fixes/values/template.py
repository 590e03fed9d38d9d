"""A template that is copied before it is filled."""

import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("template", torch.zeros(3))

    def forward(self, x):
        filled = copy.deepcopy(self.template)
        filled[0] = x.sum()
        again = copy.deepcopy(x)
        again += filled
        return again, self.template


inputs = [(torch.ones(3),), (-torch.ones(3),)]
# mended: EDB207
