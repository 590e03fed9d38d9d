"""The difference to the frame of the call before, which is handed on too."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = torch.zeros(3, 2)  # nothing was seen yet
        self.calls = 0

    def forward(self, frame):
        before = self.last
        moved = frame - self.last
        number = self.calls
        self.calls += 1
        self.last = frame
        return moved * number, before, torch.cat([self.last, before])


example_args = (torch.randn(3, 2),)
model = Net()
inputs = [(torch.ones(3, 2),), (torch.full((3, 2), 4.0),), (torch.zeros(3, 2),)]
# mended: EDB401
