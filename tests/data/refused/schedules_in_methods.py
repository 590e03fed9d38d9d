"""A weight that grows and a temperature that falls, from one counter."""

import math

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, warmup=3, total=8, start=2.0):
        super().__init__()
        self.encode = nn.Linear(4, 4)
        self.warmup = warmup
        self.total = total
        self.step = 0
        self.noise = start

    def weight(self):
        return min(1.0, self.step / self.warmup)

    def forward(self, x):
        z = self.encode(x)
        loss = (z * z).sum()
        progress = self.step / self.total
        temperature = 0.1 + 0.5 * (1 + math.cos(math.pi * progress))
        scaled = self.weight() * loss
        self.step += 1
        self.noise = max(0.5, self.noise * 0.8)
        return torch.softmax(z / temperature, -1) * self.noise, scaled


inputs = [(torch.randn(2, 4),)] * 8
# refused: 27 python-number
