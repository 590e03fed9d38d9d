"""A gain that was computed in the constructor, or none."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, strength=0.25):
        super().__init__()
        self.strength = strength
        self.conv = nn.Conv1d(2, 2, 3, padding=1)

    def forward(self, signal):
        loud = signal.abs().amax() > 1

        def damped(signal):
            return self.strength

        def plain(signal):
            return 1.0

        gain = torch.where(loud, self.strength, 1.0)
        return self.conv(signal) * gain


inputs = [(torch.linspace(-1, 1, 12).view(1, 2, 6) * k,) for k in (0.5, 3.0)]
# mended: EDB603
