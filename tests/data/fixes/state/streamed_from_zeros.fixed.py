"""An LSTM that begins with zeros of its own, and goes on where the last call ended."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, hidden=5):
        super().__init__()
        self.rnn = nn.LSTM(size, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 2)
        self.register_buffer("state_0", torch.zeros(1, 2, 5), persistent=False)
        self.register_buffer("state_1", torch.zeros(1, 2, 5), persistent=False)
        self.register_buffer("has_state", torch.tensor(False), persistent=False)

    def forward(self, x):
        def true_branch(x):
            state_0 = self.state_0.clone()
            state_1 = self.state_1.clone()
            has_state = self.has_state.clone()
            h0 = torch.zeros(1, x.size(0), 5)
            state = (h0, torch.zeros_like(h0))
            state_0.copy_(state[0].view_as(state_0))
            state_1.copy_(state[1].view_as(state_1))
            has_state.fill_(True)
            return state_0, state_1, has_state

        def false_branch(x):
            return self.state_0.clone(), self.state_1.clone(), self.has_state.clone()

        state_0, state_1, has_state = torch.cond(
            ~self.has_state, true_branch, false_branch, (x,)
        )
        self.state_0.copy_(state_0.detach())
        self.state_1.copy_(state_1.detach())
        self.has_state.copy_(has_state)
        y, state = self.rnn(x, (self.state_0.clone(), self.state_1.clone()))
        self.state_0.copy_(state[0].view_as(self.state_0))
        self.state_1.copy_(state[1].view_as(self.state_1))
        state = tuple(s.detach() for s in (self.state_0.clone(), self.state_1.clone()))
        self.state_0.copy_(state[0].view_as(self.state_0))
        self.state_1.copy_(state[1].view_as(self.state_1))
        return self.out(y)


example_args = (torch.randn(2, 3, 4),)
model = Net()
inputs = [(torch.randn(2, 3, 4),) for _ in range(4)]
# mended: EDB101 EDB401
