"""Builtins that ask for truth: any, all, in, equal, allclose, is_nonzero, len of a selection."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, y):
        if all((x.sum() > 0, y.sum() > 0)):
            x = x + 1
        if any([x.max() > 3, y.max() > 3]):
            x = x * 2
        if 2 in y:
            x = x - 1
        if torch.equal(x, y):
            x = -x
        if not torch.allclose(x, x * 2):
            x = x / 2
        if x.sum().is_nonzero():
            x = x.sin()
        hits = (x > 0).nonzero()
        if len(hits) > 2:
            x = x.cos()
        return x


inputs = [(torch.ones(2, 3) * a, torch.ones(2, 3) * b) for a, b in ((1, 2), (-1, -1), (4, 0), (0, 5), (0, 0))]
# mended: EDB103 EDB105
