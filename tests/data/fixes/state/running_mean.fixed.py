"""Running statistics in a plain tensor and in a float."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=3, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(size), persistent=False)
        self.register_buffer(
            "weight", torch.tensor(1.0, dtype=torch.float64), persistent=False
        )

    def forward(self, x):
        self.mean.copy_(self.momentum * self.mean + (1 - self.momentum) * x.mean(0))
        self.weight.copy_(self.weight * self.momentum)
        return (x - self.mean) * self.weight


inputs = [(torch.ones(2, 3),), (torch.full((2, 3), 4.0),), (torch.zeros(2, 3),)]
# mended: EDB401
