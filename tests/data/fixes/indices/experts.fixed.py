"""The expert that the gate picks."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(3, 3)
        self.experts = nn.ModuleList([nn.Linear(3, 4) for _ in range(3)])

    def forward(self, x):
        best = self.gate(x).mean(0).argmax()
        return torch.stack([module(x) for module in self.experts])[best.reshape(1)].squeeze(0)


inputs = [(torch.ones(2, 3),), (-torch.ones(2, 3),), (torch.tensor([[3.0, -2, 1], [0, 1, 5]]),)]
# mended: EDB206
