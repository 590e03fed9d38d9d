"""Learnt positions, cut to the length of the input."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, vocabulary=7, positions=16, width=4):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(torch.linspace(-1, 1, positions * width).view(positions, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        x = self.words(ids)
        x = x + self.positions[: ids.shape[1]]
        return self.norm(x)


dynamic_shapes = {"ids": {1: Dim("length", max=16)}}
example_args = (torch.tensor([[1, 2, 3]]),)
model = Net()
inputs = [(torch.tensor([[1, 2, 3]]),), (torch.tensor([[6, 5, 4, 3, 2]]),), (torch.zeros(1, 16, dtype=torch.int64),)]
# mended: EDB305
