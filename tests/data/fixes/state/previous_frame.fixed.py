"""The difference to the frame of the call before, which is handed on too."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3, 2), persistent=False)  # nothing was seen yet
        self.register_buffer("calls", torch.tensor(0), persistent=False)

    def forward(self, frame):
        before = self.last.clone()
        moved = frame - self.last
        number = self.calls.clone()
        self.calls += 1
        self.last.copy_(frame)
        return moved * number, before, torch.cat([self.last, before])


example_args = (torch.randn(3, 2),)
model = Net()
inputs = [(torch.ones(3, 2),), (torch.full((3, 2), 4.0),), (torch.zeros(3, 2),)]
# mended: EDB401
