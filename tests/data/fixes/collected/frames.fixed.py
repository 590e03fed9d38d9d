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

        # one for each frame
        def each(row):
            code = self.encode(row)
            gate = self.gate(code).sigmoid()
            # The gate decides how much of it is left.
            return gate, code * gate

        gates, codes = torch._higher_order_ops.map(each, clip.movedim(1, 0))
        codes = codes.movedim(0, 1).contiguous()
        return codes, gates.movedim(0, 1).flatten(1, 2).view(batch, -1)


dynamic_shapes = {"clip": {1: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(2, 4, 3),)
model = Net()
inputs = [(torch.linspace(-2, 2, 6 * n).view(2, n, 3).sin(),) for n in (4, 2, 7)]
# mended: EDB303
