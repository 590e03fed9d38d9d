"""if/elif/else that assigns two names, one of which is dead afterwards, and one that has a value before."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(5, 5)

    def forward(self, x):
        h = self.proj(x)
        scale = torch.ones_like(h)
        peak = h.abs().max()

        def true_branch(peak, scale, h):
            reason = "far out"
            scale = scale * 0.1
            h = h.clamp(-10, 10)
            return scale, h

        def false_branch(peak, scale, h):
            # A little too large.
            scale = torch.where(peak > 2, scale * 0.5, scale)
            h = torch.where(peak > 2, h, torch.tanh(h))
            return scale, h

        scale, h = torch.cond(peak > 10, true_branch, false_branch, (peak, scale, h))
        return h * scale, scale


inputs = [(torch.ones(3, 5) * s,) for s in (1.0, 4.0, 100.0, -100.0, 0.0)]
# mended: EDB101
