"""A token pruner keeps two thirds of the tokens, rounded down, the best first."""

import math

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.score = nn.Linear(width, 1)

    def forward(self, tokens):
        keep = math.floor(tokens.shape[0] * 2 / 3)
        order = self.score(tokens).squeeze(-1).argsort(descending=True)
        return tokens[order[:keep]]


# As many tokens as the batch has.
dynamic_shapes = {"tokens": {0: Dim.AUTO(min=3)}}
example_args = (torch.linspace(-1, 1, 36).view(9, 4),)
model = Net()
inputs = [(torch.linspace(-1, 1, 4 * n).view(n, 4),) for n in (9, 6, 11)]
# mended: EDB308
