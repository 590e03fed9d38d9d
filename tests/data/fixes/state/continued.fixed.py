"""A recurrent layer that goes on where the last call ended."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, hidden=5):
        super().__init__()
        self.rnn = nn.GRU(size, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 2)
        self.register_buffer("h", torch.zeros(1, 2, 5), persistent=False)

    def reset(self):
        self.h.zero_()

    def forward(self, x):
        y, h = self.rnn(x, self.h.clone())
        self.h.copy_(h.view_as(self.h))
        return self.out(y)


example_args = (torch.randn(2, 3, 4),)
model = Net()
inputs = [(torch.randn(2, 3, 4),) for _ in range(4)]
# mended: EDB401
