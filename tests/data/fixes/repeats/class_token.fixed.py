"""A vision transformer's class token before the patches of every image."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.token = nn.Parameter(torch.linspace(-1, 1, width).view(1, 1, width))
        self.out = nn.Linear(width, 2)

    def forward(self, patches):
        tokens = self.token.expand(patches.shape[0], *self.token.shape).clone(
            memory_format=torch.contiguous_format
        ).flatten(0, 1)
        # The token sees all of them.
        return self.out(torch.cat([tokens, patches], dim=1)[:, 0])


dynamic_shapes = {"patches": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(3, 5, 4),)
model = Net()
inputs = [(torch.ones(3, 5, 4),), (-torch.ones(2, 5, 4),), (torch.ones(7, 5, 4),)]
# mended: EDB307
