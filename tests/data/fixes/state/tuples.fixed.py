"""States that are tuples of tensors, which recurrent layers and running statistics carry from call to call."""

import torch
from torch import nn


class Long(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 4, num_layers=2)
        self.register_buffer("hidden_0", torch.zeros(2, 2, 4), persistent=False)
        self.register_buffer("hidden_1", torch.zeros(2, 2, 4), persistent=False)

    def forward(self, x):
        y, (hidden_0, hidden_1) = self.lstm(x, (self.hidden_0.clone(), self.hidden_1.clone()))
        self.hidden_0.copy_(hidden_0)
        self.hidden_1.copy_(hidden_1)
        return y


class Detached(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 4)
        hidden_0, hidden_1 = self.init_hidden()
        self.register_buffer("hidden_0", hidden_0, persistent=False)
        self.register_buffer("hidden_1", hidden_1, persistent=False)

    def init_hidden(self):
        """As the layer begins."""
        return torch.randn(1, 2, 4), torch.randn(1, 2, 4)

    def forward(self, x):
        y, hidden = self.lstm(x, (self.hidden_0.clone(), self.hidden_1.clone()))
        hidden_0, hidden_1 = tuple(h.detach() for h in hidden)
        self.hidden_0.copy_(hidden_0)
        self.hidden_1.copy_(hidden_1)
        return y


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 4)
        self.register_buffer("state_0", torch.zeros(2, 4), persistent=False)
        self.register_buffer("state_1", torch.zeros(2, 4), persistent=False)

    def forward(self, x):
        state_0, state_1 = self.cell(x, (self.state_0.clone(), self.state_1.clone()))
        self.state_0.copy_(state_0)
        self.state_1.copy_(state_1)
        return self.state_0.clone()


class Moments(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("moments_0", torch.zeros(4), persistent=False)
        self.register_buffer("moments_1", torch.ones(4), persistent=False)

    def forward(self, x):
        mean, variance = self.moments_0.clone(), self.moments_1.clone()
        mean = mean * 0.9 + x.mean(0) * 0.1
        variance = variance * 0.9 + x.var(0) * 0.1
        self.moments_0.copy_(mean)
        self.moments_1.copy_(variance)
        return (x - mean) / variance.sqrt()


class Delay(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last_0", torch.zeros(2, 4), persistent=False)
        self.register_buffer("last_1", torch.zeros(2, 4), persistent=False)

    def forward(self, x):
        earlier = self.last_0.clone()
        last_0, last_1 = (self.last_1.clone(), self.last_1.clone() * 0.5 + 1)
        self.last_0.copy_(last_0)
        self.last_1.copy_(last_1)
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
