"""The features of a layer are as many as its weights have."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(6)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        return self.head(self.norm(x))


rows = Dim("rows")
dynamic_shapes = {"x": {0: rows, 1: Dim.STATIC}}
example_args = (torch.ones(3, 6),)
model = Net()
inputs = [(torch.linspace(-1, 1, 6 * n).view(n, 6),) for n in (3, 2, 7)]
# mended: EDB305
