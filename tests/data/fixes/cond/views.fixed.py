"""Outputs that alias the input, each other or a view of it, in a nested decision that returns tuples."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, y):
        flat = x.view(-1)
        y = x * y.mean()

        def true_branch(x, y, flat):
            def true_branch_2(y, x, flat):
                return x.clone(), flat.clone()

            def false_branch_2(y, x, flat):
                return y.clone(), flat * 2

            return torch.cond(y.sum() > 1, true_branch_2, false_branch_2, (y, x, flat.clone()))

        def false_branch(x, y, flat):
            z = x + y
            return z, z.view(-1).clone()

        return torch.cond((x > 0).all(), true_branch, false_branch, (x, y, flat.clone()))


inputs = [
    (torch.ones(2, 3), torch.ones(2, 3)),
    (torch.ones(2, 3), -torch.ones(2, 3)),
    (-torch.ones(2, 3), torch.ones(2, 3)),
]
# mended: EDB101
