"""A model says itself how long its input may be."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.longest = 16
        self.places = nn.Embedding(16, width)

    def forward(self, x):
        length = x.shape[1]
        assert length <= self.longest, f"at most {self.longest} tokens"
        return x + self.places(torch.arange(length))


dynamic_shapes = {"x": (Dim("batch"), Dim("length", max=16), None)}
example_args = (torch.ones(2, 5, 4),)
model = Net()
inputs = [(torch.linspace(-1, 1, 8 * n).view(2, n, 4),) for n in (5, 3, 16)]
# mended: EDB302
