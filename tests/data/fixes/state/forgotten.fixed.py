"""A recurrent cell that keeps its state between calls, and forgets it on demand."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, hidden=5):
        super().__init__()
        self.cell = nn.LSTMCell(size, hidden)
        self.hidden = hidden
        self.register_buffer("h", torch.zeros(2, 5), persistent=False)
        self.register_buffer("c", torch.zeros(2, 5), persistent=False)  # nothing was seen yet

    def reset(self):
        self.h.zero_()
        self.c.zero_()

    def forward(self, x):
        h, c = self.cell(x, (self.h.clone(), self.c.clone()))
        self.h.copy_(h.detach().view_as(self.h))
        self.c.copy_(c.detach().view_as(self.c))
        return h


example_args = (torch.randn(2, 4),)
model = Net()
inputs = [(torch.randn(2, 4),) for _ in range(4)]
# mended: EDB401
