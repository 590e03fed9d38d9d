"""A filter that begins with the first value."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, alpha=0.8):
        super().__init__()
        self.alpha = alpha
        self.smooth = None

    def forward(self, x):
        level = x.abs().mean()
        smooth = level if self.smooth is None else self.alpha * self.smooth + (1 - self.alpha) * level
        self.smooth = smooth
        if level > 2 * smooth:
            return x / smooth
        return x


inputs = [(torch.ones(2, 4) * f,) for f in (1, 5, 1, 3)]
# refused: 16 state-initial-value
