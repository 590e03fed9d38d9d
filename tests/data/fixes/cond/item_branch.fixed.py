"""A branch on `.item()` and on the size of a selection, with `not` and a chain."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bias", torch.arange(4.0))

    def forward(self, x):
        count = (x > 0).sum().item()

        def true_branch(x):
            x = x + self.bias
            return x

        def false_branch(x):
            return x.clone()

        x = torch.cond(count <= 3, true_branch, false_branch, (x,))

        def true_branch_2(x):
            x = x * 2
            return x

        def false_branch_2(x):
            x = x - 1
            return x

        x = torch.cond((1 < count) & (count < 6), true_branch_2, false_branch_2, (x,))
        return x


inputs = [(torch.tensor([[1.0, -1, 1, -1], [1, -1, 1, -1]]),), (torch.ones(2, 4),), (-torch.ones(2, 4),)]
# mended: EDB103
