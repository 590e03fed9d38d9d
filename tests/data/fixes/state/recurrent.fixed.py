"""The hidden state of a cell, kept from call to call, with a method that resets it by name."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 5)
        self.head = nn.Linear(5, 2)
        self.register_buffer("hidden", torch.zeros(3, 5), persistent=False)

    def reset(self):
        setattr(self, "hidden", torch.zeros(3, 5))

    def forward(self, x):
        self.hidden.copy_(self.cell(x, self.hidden.clone()))
        return self.head(self.hidden).softmax(-1)


inputs = [(torch.ones(3, 4),), (torch.full((3, 4), -2.0),), (torch.zeros(3, 4),)]
# mended: EDB401
