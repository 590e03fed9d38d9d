"""An iteration without an end of its own, whose rounds Python counts."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, a, x):
        it = 0
        while True:
            x_new = torch.cos(a * x)
            delta = (x_new - x).abs().max()
            x = x_new
            it += 1
            if delta < 1e-3 or it >= 50:
                break
        return x


inputs = [
    (torch.full((3,), 0.5), torch.rand(3)),
    (torch.full((3,), 1.0), torch.ones(3)),
    (torch.full((3,), 2.5), torch.ones(3)),
]
# mended: EDB101
