"""Parameters in a list that a comprehension makes, and in a dict over several lines."""

import torch
from torch.nn import Module, Parameter


class Scaled(Module):
    def __init__(self, size):
        super().__init__()
        self.scales = torch.nn.ParameterList(
            [Parameter(torch.ones(size)) for _ in range(2)]
        )

    def forward(self, x):
        for scale in self.scales:
            x = x * scale
        return x


class Net(Module):
    def __init__(self, size=4):
        super().__init__()
        self.scaled = Scaled(size)
        self.shifts = torch.nn.ParameterDict({
            "low": Parameter(torch.zeros(size)),
            "high": Parameter(torch.ones(size)),
        })

    def forward(self, x):
        x = self.scaled(x)
        return x + self.shifts["low"] * self.shifts["high"]


example_args = (torch.randn(3, 4),)
model = Net()
inputs = [(torch.randn(3, 4),) for _ in range(3)]
# mended: EDB408
