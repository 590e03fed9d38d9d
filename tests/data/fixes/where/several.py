"""Two names at once, one only on one side, infinities on the side that is not selected."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        low, high = x - 1, x + 1
        if (x > 0).all() and x.max() < 10:
            low = torch.log(x)
            high = x.sqrt()
        if x.min() < -2:
            high = high * -1
        return low, high


inputs = [(torch.ones(2, 2) * s,) for s in (0.5, -1.0, 20.0, -3.0)]
# mended: EDB101
