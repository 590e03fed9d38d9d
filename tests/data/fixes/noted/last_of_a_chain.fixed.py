"""The last branch of a chain only prints."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, wide=False):
        super().__init__()
        self.wide = wide

    def forward(self, x):
        if self.wide:
            x = x * 2
        elif not torch.compiler.is_exporting() and torch.isnan(x).any():
            print("not a number")
        return x.sin()


inputs = [(torch.linspace(-1, 1, 6),), (torch.full((6,), float("nan")),)]
example_args = inputs[0]
# mended: EDB101
