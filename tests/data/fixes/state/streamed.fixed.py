"""An LSTM that goes on where the last call ended."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, hidden=5):
        super().__init__()
        self.lstm = nn.LSTM(size, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 2)
        self.register_buffer("hidden_0", torch.zeros(1, 2, 5), persistent=False)
        self.register_buffer("hidden_1", torch.zeros(1, 2, 5), persistent=False)

    def reset(self):
        self.hidden_0.zero_(); self.hidden_1.zero_()

    def forward(self, x):
        y, hidden_2 = self.lstm(x, (self.hidden_0.clone(), self.hidden_1.clone()))
        self.hidden_0.copy_(hidden_2[0].view_as(self.hidden_0))
        self.hidden_1.copy_(hidden_2[1].view_as(self.hidden_1))
        hidden_2 = tuple(
            h.detach() for h in (self.hidden_0.clone(), self.hidden_1.clone())
        )
        self.hidden_0.copy_(hidden_2[0].view_as(self.hidden_0))
        self.hidden_1.copy_(hidden_2[1].view_as(self.hidden_1))  # no history
        return self.out(y)


example_args = (torch.randn(2, 3, 4),)
model = Net()
inputs = [(torch.randn(2, 3, 4),) for _ in range(4)]
# mended: EDB401
