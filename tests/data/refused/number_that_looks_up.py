"""Temperatures that are looked up by how often the model was called."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim=4, warm=3):
        super().__init__()
        self.linear = nn.Linear(dim, dim)
        self.temps = [0.04 + 0.01 * i for i in range(warm)]
        self.gains = (1, 2, 5)
        self.epoch = 0

    def temperature(self):
        return self.temps[min(self.epoch, len(self.temps) - 1)]

    def forward(self, x):
        y = self.linear(x) / self.temperature()
        gain = self.gains[self.epoch % 3]
        self.epoch = self.epoch + 1
        if gain > 1:
            y = y * gain
        return y.softmax(-1)


inputs = [(torch.randn(2, 4),) for _ in range(6)]
# refused: 21 python-number
