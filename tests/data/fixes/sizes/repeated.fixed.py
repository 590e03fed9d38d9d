"""A token for every row of a dynamic batch."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        tokens = self.token.expand(x.shape[0], *self.token.shape).clone(
            memory_format=torch.contiguous_format
        )
        return torch.cat([tokens, x], dim=1)


example_args = (torch.ones(4, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
model = Net()
inputs = [(torch.ones(4, 3),), (torch.ones(6, 3),)]
# mended: EDB307
