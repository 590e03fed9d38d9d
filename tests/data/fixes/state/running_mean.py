"""Running statistics in a plain tensor and in a float."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=3, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.mean = torch.zeros(size)
        self.weight = 1.0

    def forward(self, x):
        self.mean = self.momentum * self.mean + (1 - self.momentum) * x.mean(0)
        self.weight = self.weight * self.momentum
        return (x - self.mean) * self.weight


inputs = [(torch.ones(2, 3),), (torch.full((2, 3), 4.0),), (torch.zeros(2, 3),)]
# mended: EDB401
