"""A weight or a tensor that the call gives."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))

    def scaled(self, x, by):
        return x * by if type(by) in (torch.Tensor, nn.Parameter) else x * 2

    def forward(self, x):
        return self.scaled(x, self.scale)


inputs = [(torch.randn(4, 3),), (torch.zeros(4, 3),)]
# mended: EDB202
