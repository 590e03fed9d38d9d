"""Tuples of tensors whose size a call decides, or that are handed out, or asked for their identity."""

import torch
from torch import nn


class Sized(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 5)
        self.state = (torch.zeros(1, 5), torch.zeros(1, 5))

    def forward(self, x):
        self.state = self.cell(x, self.state)
        return self.state[0]

    def reset(self, batch):
        self.state = (torch.zeros(batch, 5), torch.zeros(batch, 5))


class Asked(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = (torch.zeros(1, 5), torch.zeros(1, 5))
        self.state = (torch.zeros(1, 5), torch.zeros(1, 5))

    def forward(self, x):
        y = x + self.state[0]
        if self.state is self.first:
            y = y * 2
        self.state = (y, x)
        return y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sized, self.asked = Sized(), Asked()

    def forward(self, x):
        return self.asked(self.sized(x))


example_args = (torch.randn(1, 4),)
model = Net()
inputs = [(torch.randn(1, 4),) for _ in range(3)]
# refused: 14 state-may-change-shape, 31 state-used-elsewhere
