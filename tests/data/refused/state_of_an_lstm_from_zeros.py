"""An LSTM that begins with zeros of its own, and goes on where the last call ended."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, hidden=5):
        super().__init__()
        self.rnn = nn.LSTM(size, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 2)
        self.state = None

    def forward(self, x):
        if self.state is None:
            h0 = torch.zeros(1, x.size(0), 5)
            self.state = (h0, torch.zeros_like(h0))
        y, self.state = self.rnn(x, self.state)
        self.state = tuple(s.detach() for s in self.state)
        return self.out(y)


example_args = (torch.randn(2, 3, 4),)
model = Net()
inputs = [(torch.randn(2, 3, 4),) for _ in range(4)]
# refused: 17 state-initial-value, 18 state-initial-value, 19 state-initial-value
