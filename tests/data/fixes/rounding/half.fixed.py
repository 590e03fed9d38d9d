"""The first half of the frames, rounded as Python rounds."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.encode = nn.Linear(width, width)

    def forward(self, frames):
        half = round(frames.shape[0] / 2)
        early = self.encode(frames[:half])
        return early.mean(0), early.shape[0]


frames = Dim.DYNAMIC(min=3, max=64)
dynamic_shapes = {"frames": {0: frames}}
example_args = (torch.ones(6, 3),)
model = Net()
inputs = [(torch.ones(n, 3) * k,) for n, k in ((6, 1.0), (9, -1.0), (7, 2.0))]
# mended: EDB301
