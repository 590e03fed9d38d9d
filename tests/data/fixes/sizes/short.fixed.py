"""Short inputs go another way."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        def true_branch(x):
            y = x * 2
            return y

        def false_branch(x):
            y = x - 1
            return y

        y = torch.cond(x.shape[0] > 4, true_branch, false_branch, (x,))
        return y.relu()


example_args = (torch.ones(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
model = Net()
inputs = [(torch.ones(8, 2),), (torch.ones(3, 2),), (torch.ones(5, 2),)]
# mended: EDB302
