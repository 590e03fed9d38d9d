"""States that are tuples of tensors, which recurrent layers and running statistics carry from call to call."""

import torch
from torch import nn


class Long(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 4, num_layers=2)
        self.hidden = (torch.zeros(2, 2, 4), torch.zeros(2, 2, 4))

    def forward(self, x):
        y, self.hidden = self.lstm(x, self.hidden)
        return y


class Detached(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 4)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        """As the layer begins."""
        return torch.randn(1, 2, 4), torch.randn(1, 2, 4)

    def forward(self, x):
        y, hidden = self.lstm(x, self.hidden)
        self.hidden = tuple(h.detach() for h in hidden)
        return y


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 4)
        self.state = (torch.zeros(2, 4), torch.zeros(2, 4))

    def forward(self, x):
        self.state = self.cell(x, self.state)
        return self.state[0]


class Moments(nn.Module):
    def __init__(self):
        super().__init__()
        self.moments = (torch.zeros(4), torch.ones(4))

    def forward(self, x):
        mean, variance = self.moments
        mean = mean * 0.9 + x.mean(0) * 0.1
        variance = variance * 0.9 + x.var(0) * 0.1
        self.moments = (mean, variance)
        return (x - mean) / variance.sqrt()


class Delay(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = (torch.zeros(2, 4), torch.zeros(2, 4))

    def forward(self, x):
        earlier = self.last[0]
        self.last = (self.last[1], self.last[1] * 0.5 + 1)
        return x + earlier


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.long, self.detached, self.cell = Long(), Detached(), Cell()
        self.moments, self.delay = Moments(), Delay()

    def forward(self, x):
        y = self.detached(self.long(x)).mean(0)
        return self.delay(self.moments(self.cell(y)))


inputs = [(torch.randn(3, 2, 4),), (torch.zeros(3, 2, 4),), (torch.ones(3, 2, 4),)]
# mended: EDB401
