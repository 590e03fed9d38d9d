"""A subsampled sequence, of which the last frame counts although it is not full."""

import math

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, stride=2):
        super().__init__()
        self.stride = stride
        self.gain = nn.Parameter(torch.tensor(0.5))

    def forward(self, frames):
        count = math.ceil(frames.shape[1] / 2)
        taken = frames[:, :: self.stride]
        padded = torch.cat([taken, torch.zeros_like(taken)], dim=1)
        return padded[:, :count] * self.gain


time = Dim("time", max=512)
dynamic_shapes = {"frames": {1: time}}
example_args = (torch.linspace(-1, 1, 14).view(2, 7),)
model = Net()
inputs = [(torch.linspace(-1, 1, 2 * n).view(2, n),) for n in (7, 8, 12)]
# mended: EDB308
