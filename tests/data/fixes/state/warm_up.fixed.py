"""A schedule in double precision from a counter, and a bias correction."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.tensor(0), persistent=False)
        self.register_buffer("mean", torch.zeros(1, 4), persistent=False)

    def forward(self, x):
        self.steps += 1
        self.mean.copy_(0.999 * self.mean + 0.001 * x.mean(0, keepdim=True))
        corrected = self.mean / (1 - 0.999**self.steps.double())
        x = torch.where(self.steps.double() / 10 > 0.2, x - corrected, x)
        return x * (self.steps % 4) / 4


example_args = (torch.randn(3, 4),)
model = Net()
inputs = [(torch.ones(3, 4),), (torch.full((3, 4), -2.0),), (torch.zeros(3, 4),), (torch.ones(3, 4),)]
# mended: EDB101 EDB401
