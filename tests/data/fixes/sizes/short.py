"""Short inputs go another way."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] > 4:
            y = x * 2
        else:
            y = x - 1
        return y.relu()


example_args = (torch.ones(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
model = Net()
inputs = [(torch.ones(8, 2),), (torch.ones(3, 2),), (torch.ones(5, 2),)]
# mended: EDB302
