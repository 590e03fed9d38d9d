"""A learning signal that grows with the calls, up to a limit."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("step", torch.tensor(0), persistent=False)
        self.lin = nn.Linear(2, 2)

    def forward(self, x):
        self.step += 1
        warmup = torch.clamp(self.step.double() / 4, max=1.0)
        return self.lin(x) * warmup


inputs = [(torch.ones(2, 2),)] * 6
# mended: EDB401
