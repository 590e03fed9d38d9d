"""A schedule that decays, used with a constant, in double precision."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "temperature", torch.tensor(2.0, dtype=torch.float64), persistent=False
        )
        self.register_buffer("calls", torch.tensor(-1), persistent=False)

    def forward(self, logits):
        self.temperature *= 0.5
        self.calls += 2
        return torch.softmax(logits / (self.temperature + 0.1), -1) - self.calls


inputs = [(torch.randn(2, 3),)] * 4
# mended: EDB401
