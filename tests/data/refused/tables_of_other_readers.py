"""A table that a call registers and another method finds: where tracing leaves it out it is missing there."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", None, persistent=False)

    def prepare(self, x):
        if self.scale is None:
            self.register_buffer("scale", torch.ones(x.shape[1]) * 2, persistent=False)

    def forward(self, x):
        self.prepare(x)
        return x * self.scale


example_args = (torch.randn(3, 2),)
model = Net()
inputs = [(torch.randn(3, 2),) for _ in range(3)]
# refused: 14 state-used-elsewhere
