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
        self.register_buffer("step", torch.tensor(0), persistent=False)
        self.register_buffer(
            "noise", torch.tensor(start, dtype=torch.float64), persistent=False
        )

    def weight(self):
        return torch.clamp(self.step.double() / self.warmup, max=1.0)

    def forward(self, x):
        z = self.encode(x)
        loss = (z * z).sum()
        progress = self.step.double() / self.total
        temperature = 0.1 + 0.5 * (1 + torch.cos(math.pi * progress))
        scaled = self.weight().to(loss.dtype) * loss
        self.step += 1
        self.noise.copy_(torch.clamp(self.noise * 0.8, min=0.5))
        return torch.softmax(z / temperature, -1) * self.noise, scaled


inputs = [(torch.randn(2, 4),)] * 8
# mended: EDB401
