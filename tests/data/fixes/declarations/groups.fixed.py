"""Frames are put together by fours."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.join = nn.Linear(4 * width, width)

    def forward(self, frames):
        batch, length, width = frames.shape
        return self.join(frames.reshape(batch, length // 4, 4 * width))


length = 4 * torch.export.Dim("_length", min=2, max=100)
dynamic_shapes = ({0: torch.export.Dim("batch"), 1: length},)
example_args = (torch.ones(2, 12, 3),)
model = Net()
inputs = [(torch.linspace(-1, 1, 6 * n).view(2, n, 3),) for n in (12, 8, 20)]
# mended: EDB308
