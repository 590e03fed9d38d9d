"""A causal mask that was made for the longest input."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, longest=8, width=4):
        super().__init__()
        self.register_buffer("mask", torch.ones(longest, longest).tril().bool())
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        length = x.shape[1]
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.transpose(-1, -2)
        # Nobody looks ahead.
        scores = scores.masked_fill(~self.mask[:length, :length], float("-inf"))
        return scores.softmax(-1) @ v


length = Dim("length", min=2, max=7)
dynamic_shapes = {"x": {1: length}}
example_args = (torch.linspace(-1, 1, 24).view(2, 3, 4),)
model = Net()
inputs = [(torch.linspace(-1, 1, 8 * n).view(2, n, 4),) for n in (3, 5, 7)]
# mended: EDB305
