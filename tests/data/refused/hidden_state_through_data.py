"""A recurrent layer whose state is written through .data when it has been read: in place, the backward pass would miss it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, hidden=5):
        super().__init__()
        self.rnn = nn.GRU(size, hidden, batch_first=True)
        self.h = nn.Parameter(torch.zeros(1, 1, hidden), requires_grad=False)

    def forward(self, x):
        y, h = self.rnn(x, self.h)
        self.h.data = h.detach()
        return y


example_args = (torch.randn(1, 3, 4),)
model = Net()
inputs = [(torch.randn(1, 3, 4),) for _ in range(3)]
# refused: 15 aliased-write
