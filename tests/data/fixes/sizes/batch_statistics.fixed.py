"""Large batches are centred by their own mean, small ones by the one that was learnt."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.centre = nn.Parameter(torch.linspace(-1, 1, width))
        self.out = nn.Linear(width, width)

    def centred(self, x):
        def true_branch(x):
            mean = x.mean(0)
            x = x - mean
            return x

        def false_branch(x):
            x = x - self.centre
            return x

        x = torch.cond(x.shape[0] >= 5, true_branch, false_branch, (x,))
        return x

    def forward(self, x):
        return self.out(self.centred(x)).relu()


rows = torch.export.Dim("rows", min=2, max=32)
dynamic_shapes = {"x": {0: rows}}
example_args = (torch.linspace(-1, 1, 18).view(6, 3),)
model = Net()
inputs = [(torch.linspace(-1, 1, 3 * n).view(n, 3),) for n in (6, 3, 5, 4)]
# mended: EDB302
