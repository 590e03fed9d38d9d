"""Builtins that ask for truth: any, all, in, equal, allclose, is_nonzero, len of a selection."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, y):
        x = torch.where((x.sum() > 0) & (y.sum() > 0), x + 1, x)
        x = torch.where((x.max() > 3) | (y.max() > 3), x * 2, x)
        x = torch.where((y == 2).any(), x - 1, x)

        def true_branch(x):
            x = -x
            return x

        def false_branch(x):
            return x.clone()

        if x.shape == y.shape:
            x = torch.cond((x == y).all(), true_branch, false_branch, (x,))
        else:
            x = false_branch(x)
        x = torch.where(torch.isclose(x, x * 2).all(), x, x / 2)
        x = torch.where(x.sum() != 0, x.sin(), x)
        hits = (x > 0).nonzero()

        def true_branch_2(x):
            x = x.cos()
            return x

        def false_branch_2(x):
            return x.clone()

        x = torch.cond(hits.shape[0] > 2, true_branch_2, false_branch_2, (x,))
        return x


inputs = [(torch.ones(2, 3) * a, torch.ones(2, 3) * b) for a, b in ((1, 2), (-1, -1), (4, 0), (0, 5), (0, 0))]
# mended: EDB103 EDB105
