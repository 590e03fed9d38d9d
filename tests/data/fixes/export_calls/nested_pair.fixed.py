"""Entries that are nested, counted and bounded otherwise than the inputs: each is what its tensor has."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-1, 1, 6))

    def forward(self, pair, spare, x, scale):
        first, second = pair
        return (first + second) @ self.weight + spare[0].sum(), x[:, :1] * scale


rows = Dim("rows", min=4, max=32)
model = Net()
example_args = ((torch.randn(5, 6), torch.randn(5, 6)), (torch.randn(2), torch.randn(2)), torch.randn(4, 3), torch.randn(4, 1))
dynamic_shapes = {
    "pair": ({0: Dim("count")}, {0: Dim("count")}),
    "spare": (None, None),  # a tuple since the last release
    "x": (rows, None),
    "scale": {0: rows, 1: 1},
}
inputs = [
    ((torch.ones(n, 6), torch.ones(n, 6) * 2), (torch.ones(2), torch.ones(2)), torch.ones(m, 3), torch.ones(m, 1) * 3)
    for n, m in ((5, 4), (2, 9))
]
torch.manual_seed(0)
# mended: EDB902
