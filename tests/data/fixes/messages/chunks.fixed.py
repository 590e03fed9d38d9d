"""A streaming encoder that wants a chunk of some length, whatever its length is."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, least=3, width=4):
        super().__init__()
        self.least = least
        self.project = nn.Linear(width, width)

    def forward(self, chunk, carried):
        torch._check(chunk.shape[1] >= self.least)
        # What was carried over comes first.
        frames = torch.cat([carried, self.project(chunk)], dim=1)
        return frames.cumsum(1), frames[:, -2:]


carried = torch.zeros(2, 2, 4)
dynamic_shapes = {"chunk": {1: torch.export.Dim.DYNAMIC}, "carried": None}
example_args = (torch.ones(2, 5, 4), carried)
model = Net()
inputs = [(torch.ones(2, 5, 4), carried), (-torch.ones(2, 8, 4), carried), (torch.ones(2, 2, 4), carried)]
# mended: EDB107
