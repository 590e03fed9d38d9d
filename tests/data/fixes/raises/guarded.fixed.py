"""A check that is only made where the module was told to."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.careful = True
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x):
        if self.careful:
            torch._assert_async(~(x.abs().max() > 100), "the input was not normalised")
        for layer in self.layers:
            x = torch.tanh(layer(x))
            torch._assert_async(~x.isnan().any(), "nan")
        return x


inputs = [(torch.ones(2, 3),), (torch.full((2, 3), 1000.0),), (torch.full((2, 3), float("nan")),)]
# mended: EDB104
