"""Layers that train, with a mask and places beside what they give: `torch.cond` has no gradient for those."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Linear(4, 4)
        self.steps = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))
        self.register_buffer("mean", torch.zeros(4))

    def masked(self, x):
        if x.sum() > 0:
            y = self.lift(x)
            high = y > 0
            places = y.argmax(1)
        else:
            y = x
            high = x < 0
            places = x.argmin(1)
        return y.masked_fill(high, 0.0).gather(1, places[:, None])

    def both(self, x):
        if x.mean() > 1:
            y = self.lift(x)
            return y, y > 0
        return x, x < 0

    def stopped(self, x):
        for step in self.steps:
            x = step(x)
            if x.sum() > 0:
                break
        return x

    def tracked(self, x):
        if x.max() > 2:
            x = self.lift(x)
            self.seen += 1
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
        return x + self.mean

    def forward(self, x):
        return self.masked(x), self.both(x), self.stopped(x), self.tracked(x)


model = Net()
example_args = (torch.ones(2, 4),)
inputs = [(torch.ones(2, 4) * scale,) for scale in (1.0, 3.0, -1.0)]
# mended: EDB101 EDB401
