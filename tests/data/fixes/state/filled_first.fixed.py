"""The state of a recurrent cell, and a gain, that the first call fills with constants."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 4)
        self.register_buffer("h", torch.zeros(2, 4), persistent=False)
        self.register_buffer("c", torch.zeros(2, 4), persistent=False)
        self.register_buffer("gain", torch.ones(()), persistent=False)  # of the loudest frame so far
        self.register_buffer("seen", torch.zeros(1), persistent=False)
        self.register_buffer("has_seen", torch.tensor(False), persistent=False)

    def reset(self):
        self.h.zero_()
        self.c.zero_()

    def forward(self, x):
        # Nothing was heard yet.
        def true_branch():
            seen = self.seen.clone()
            has_seen = self.has_seen.clone()
            seen.copy_(torch.zeros(1))
            has_seen.fill_(True)
            return seen, has_seen

        def false_branch():
            seen = self.seen.clone()
            seen.copy_(seen + 1)
            return seen, self.has_seen.clone()

        seen, has_seen = torch.cond(~self.has_seen, true_branch, false_branch)
        self.seen.copy_(seen.detach())
        self.has_seen.copy_(has_seen)
        self.gain.copy_(self.gain * 0.9 + x.abs().max() * 0.1)
        h, c = self.cell(x, (self.h.clone(), self.c.clone()))
        self.h.copy_(h.view_as(self.h))
        self.c.copy_(c.view_as(self.c))
        return self.h * self.gain, self.seen * 2


x = torch.linspace(0, 1, 6).view(2, 3)
example_args = (torch.ones(2, 3),)
inputs = [(x,), (1 - x,), (x.sin(),)]
model = Net()
# mended: EDB101 EDB401
