"""A learning signal that grows with the calls, up to a limit."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0
        self.lin = nn.Linear(2, 2)

    def forward(self, x):
        self.step += 1
        warmup = min(1.0, self.step / 4)
        return self.lin(x) * warmup


inputs = [(torch.ones(2, 2),)] * 6
# mended: EDB401
