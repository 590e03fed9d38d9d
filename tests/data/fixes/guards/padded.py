"""Padding to whole windows, to blocks, to a least length, and to a length that is data."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def windows(self, x):
        _, h, w, _ = x.shape
        below = (7 - h % 7) % 7
        right = (7 - w % 7) % 7
        if right > 0 or below > 0:  # to whole windows
            x = F.pad(x, (0, 0, 0, right, 0, below))
        return x

    def blocks(self, x):
        missing = -x.shape[1] % 8
        if missing:
            x = F.pad(x, (0, 0, 0, 0, 0, missing), mode="constant", value=1.0)
        if x.shape[2] < 16:
            x = F.pad(x, (0, 0, 0, 16 - x.shape[2]))
        return x

    def forward(self, x, length):
        row = x[0, 0, 0]
        missing = length.item() - row.shape[0]
        if missing > 0:
            row = F.pad(row, (0, missing))
        return self.windows(x), self.blocks(x), row


example_args = (torch.randn(2, 10, 12, 3), torch.tensor(14))
dynamic_shapes = {"x": {1: Dim("h", min=2), 2: Dim("w", min=2)}, "length": None}
inputs = [
    (torch.randn(2, 10, 12, 3), torch.tensor(14)),
    (torch.randn(2, 14, 14, 3), torch.tensor(2)),
    (torch.randn(2, 16, 20, 3), torch.tensor(3)),
]
# mended: EDB103 EDB302
