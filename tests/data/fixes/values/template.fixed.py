"""A template that is copied before it is filled."""

import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("template", torch.zeros(3))

    def forward(self, x):
        filled = self.template.clone()
        filled[0] = x.sum()
        again = x.clone()
        again += filled
        return again, self.template


inputs = [(torch.ones(3),), (-torch.ones(3),)]
# mended: EDB207
