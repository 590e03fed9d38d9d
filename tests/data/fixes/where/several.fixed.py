"""Two names at once, one only on one side, infinities on the side that is not selected."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        low, high = x - 1, x + 1
        low = torch.where((x > 0).all() & (x.max() < 10), torch.log(x), low)
        high = torch.where((x > 0).all() & (x.max() < 10), x.sqrt(), high)
        high = torch.where(x.min() < -2, high * -1, high)
        return low, high


inputs = [(torch.ones(2, 2) * s,) for s in (0.5, -1.0, 20.0, -3.0)]
# mended: EDB101
