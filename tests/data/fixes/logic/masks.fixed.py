"""and, or, not, a chain and bool() as values; a number chosen by a tensor."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        both = (x.max() > 0) & (x.min() < 0)
        either = (x.sum() > 1) | ~x.any()
        inside = (0 < x.mean()) & (x.mean() < 1)
        scale = torch.where(x.sum() > 0, 2.0, 0.5)
        # One way or the other.
        shift = torch.where(x.max() > 3, 1, 4)
        return x * both + x * either - x * inside * scale + (x + shift)


inputs = [(torch.linspace(-1, 1, 6).view(2, 3) * s + k,) for s in (1.0, 4.0) for k in (0.0, 0.5, -3.0)]
# mended: EDB101
