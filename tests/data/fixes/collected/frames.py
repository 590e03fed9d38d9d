"""Frames of a clip that are encoded one after the other, and put together again in time."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.encode = nn.Linear(width, 4)
        self.gate = nn.Linear(4, 1)

    def forward(self, clip):
        batch, frames, _ = clip.shape
        codes = []  # one for each frame
        gates = []
        for t in range(frames):
            code = self.encode(clip[:, t])
            gate = self.gate(code).sigmoid()
            gates.append(gate)
            # The gate decides how much of it is left.
            codes.append(code * gate)
        codes = torch.stack(codes, dim=1)
        return codes, torch.cat(gates, dim=1).view(batch, -1)


dynamic_shapes = {"clip": {1: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(2, 4, 3),)
model = Net()
inputs = [(torch.linspace(-2, 2, 6 * n).view(2, n, 3).sin(),) for n in (4, 2, 7)]
# mended: EDB303
