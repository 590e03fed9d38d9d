"""A rate that an object beside the model keeps, which is no module."""

import torch
from torch import nn


class Updater:
    def __init__(self, rate=0.9):
        super().__init__()
        self.rate = rate

    def step(self, x):
        # closer to one with each call
        self.rate = 1 - (1 - self.rate) * 0.5
        return x * self.rate


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.updater = Updater()

    def forward(self, x):
        return self.updater.step(x)


example_args = (torch.randn(2, 4),)
model = Net()
inputs = [(torch.randn(2, 4),) for _ in range(3)]
# refused: 14 state-of-plain-object
