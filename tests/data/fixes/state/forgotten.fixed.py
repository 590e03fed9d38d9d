"""A recurrent cell that keeps its state between calls, and forgets it on demand."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, hidden=5):
        super().__init__()
        self.cell = nn.LSTMCell(size, hidden)
        self.hidden = hidden
        self.register_buffer("h", torch.zeros(2, 5), persistent=False)
        self.register_buffer("has_h", torch.tensor(False), persistent=False)
        self.register_buffer("c", torch.zeros(2, 5), persistent=False)  # nothing was seen yet

    def reset(self):
        self.has_h.fill_(False)

    def forward(self, x):
        def true_branch(x):
            h_2 = self.h.clone()
            has_h = self.has_h.clone()
            c_2 = self.c.clone()
            h_2.copy_(torch.zeros(x.shape[0], self.hidden).view_as(h_2))
            has_h.fill_(True)
            c_2.copy_(torch.zeros(x.shape[0], self.hidden).view_as(c_2))
            return h_2, has_h, c_2

        def false_branch(x):
            return self.h.clone(), self.has_h.clone(), self.c.clone()

        h_2, has_h, c_2 = torch.cond(~self.has_h, true_branch, false_branch, (x,))
        self.h.copy_(h_2.detach())
        self.has_h.copy_(has_h)
        self.c.copy_(c_2.detach())
        h, c = self.cell(x, (self.h.clone(), self.c.clone()))
        self.h.copy_(h.detach().view_as(self.h))
        self.c.copy_(c.detach().view_as(self.c))
        return h


example_args = (torch.randn(2, 4),)
model = Net()
inputs = [(torch.randn(2, 4),) for _ in range(4)]
# mended: EDB101 EDB401
