"""Masks that are asked for an element before they are filled."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(3, 3)

    def forward(self, frames, padding):
        frames = self.proj(frames)
        # most batches have some
        frames = frames.masked_fill(padding.unsqueeze(-1), 0.0)
        # What overflowed.
        bad = torch.isnan(frames) | torch.isinf(frames)
        frames = torch.where(bad, 0.0, frames)
        keep = ~padding
        frames = torch.where(keep[..., None], frames, frames * 2)
        return frames


x = torch.randn(2, 4, 3)
none, some = torch.zeros(2, 4, dtype=torch.bool), torch.arange(8).reshape(2, 4) > 5
inputs = [(x, none), (x, some), (x, ~none), (x * float("nan"), none)]
# mended: EDB101 EDB103
