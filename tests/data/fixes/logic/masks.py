"""and, or, not, a chain and bool() as values; a number chosen by a tensor."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        both = x.max() > 0 and x.min() < 0
        either = x.sum() > 1 or not x.any()
        inside = 0 < x.mean() < 1
        scale = 2.0 if bool(x.sum() > 0) else 0.5
        # One way or the other.
        if x.max() > 3:
            shift = 1
        else:
            shift = 4
        return x * both + x * either - x * inside * scale + (x + shift)


inputs = [(torch.linspace(-1, 1, 6).view(2, 3) * s + k,) for s in (1.0, 4.0) for k in (0.0, 0.5, -3.0)]
# mended: EDB101
