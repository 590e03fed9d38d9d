"""A gradient is clipped in place in one branch; it was made in the function and is not seen again."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-1, 1, width))

    def forward(self, x, target):
        residual = x * self.weight - target
        step = residual * 2

        def clip(step, x):
            step = step.clone()
            step.clamp_(-0.5, 0.5)
            step *= 0.1  # and smaller
            return step + x

        def keep(step, x):
            return step * 0.01 + x

        return torch.cond(residual.abs().max() > 1, clip, keep, (step, x))


inputs = [(torch.ones(2, 3) * k, torch.zeros(3)) for k in (0.5, 3.0)]
# mended: EDB604
