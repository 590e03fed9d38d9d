"""A filter that begins with the first value."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, alpha=0.8):
        super().__init__()
        self.alpha = alpha
        self.register_buffer("smooth", torch.zeros(()), persistent=False)
        self.register_buffer("has_smooth", torch.tensor(False), persistent=False)

    def forward(self, x):
        level = x.abs().mean()
        smooth = torch.where(
            ~self.has_smooth, level, self.alpha * self.smooth + (1 - self.alpha) * level
        )
        self.smooth.copy_(smooth)
        self.has_smooth.fill_(True)
        return torch.where(level > 2 * smooth, x / smooth, x)


inputs = [(torch.ones(2, 4) * f,) for f in (1, 5, 1, 3)]
# mended: EDB101 EDB401
