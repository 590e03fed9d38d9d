"""States of recurrent layers that are carried from call to call."""

import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.GRU(4, 4)
        self.hidden = torch.zeros(1, 2, 4)

    def forward(self, x):
        y, self.hidden = self.layer(x, self.hidden)
        return y


class Long(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(4, 4)
        self.hidden = torch.zeros(1, 2, 4)
        self.cell = torch.zeros(1, 2, 4)

    def forward(self, x):
        y, (hidden, cell) = self.layer(x, (self.hidden, self.cell))
        self.hidden = hidden.detach()
        self.cell = cell.detach()
        return y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gated, self.long = Gated(), Long()

    def forward(self, x):
        return self.long(self.gated(x))


inputs = [(torch.randn(3, 2, 4),), (torch.zeros(3, 2, 4),), (torch.ones(3, 2, 4),)]
# mended: EDB401
