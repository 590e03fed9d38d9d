"""The weight of every expert, from the scores that its tokens gave it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, temperature=2.0):
        super().__init__()
        self.temperature = temperature

    def forward(self, scores, bias):
        shift = bias.mean()
        weights = torch.vmap(lambda row: (row - shift).div(self.temperature).softmax(-1))(scores)
        spread = torch.vmap(lambda row: row.max() - row.min())(scores)
        return weights * spread[:, None]


dynamic_shapes = {"scores": {0: torch.export.Dim("experts", min=2, max=64)}, "bias": None}
example_args = (torch.ones(3, 4), torch.ones(2))
model = Net()
inputs = [(torch.linspace(-2, 2, 4 * n).view(n, 4), torch.linspace(0, k, 2)) for n, k in ((3, 1), (2, -3), (6, 5))]
# mended: EDB303
