"""A schedule that decays, used with a constant, in double precision."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.temperature = 2.0
        self.calls = -1

    def forward(self, logits):
        self.temperature *= 0.5
        self.calls += 2
        return torch.softmax(logits / (self.temperature + 0.1), -1) - self.calls


inputs = [(torch.randn(2, 3),)] * 4
# mended: EDB401
