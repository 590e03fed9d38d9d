"""A float that collects a tensor, and a plain tensor that is added to."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.tensor(0.0), persistent=False)
        self.seen = torch.zeros(3)

    def update(self, x):
        self.total.copy_(self.total + x.sum())
        self.seen += x.mean(0)

    def forward(self, x):
        self.update(x)
        return x / (self.total + 1) - self.seen


inputs = [(torch.ones(2, 3),), (torch.full((2, 3), 4.0),), (torch.zeros(2, 3),)]
# mended: EDB401
