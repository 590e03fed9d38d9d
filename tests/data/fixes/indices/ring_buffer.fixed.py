"""A ring buffer of frames, turned so that the oldest comes first, and read from there."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, frames=4, width=3):
        super().__init__()
        self.register_buffer("weights", torch.linspace(0, 1, frames))
        self.project = nn.Linear(width, width)

    def forward(self, ring, oldest: torch.Tensor):
        # The oldest frame to the front.
        ordered = ring.roll((-oldest).item(), 0)
        smoothed = (ordered * self.weights[:, None]).cumsum(0)
        return self.project(smoothed), ordered[0]


ring = torch.linspace(-1, 1, 12).view(4, 3)
inputs = [(ring, torch.tensor(k)) for k in (1, 0, 3)]
# mended: EDB206
