"""Tests that go over several lines, as the parentheses around them allow; a mask that may be missing."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, mask=True):
        super().__init__()
        self.mask = mask
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        def true_branch(x):
            x = self.lin(x)
            return x

        def false_branch(x):
            return x.clone()

        if (self.mask
                is not None):
            x = torch.cond((x.sum()
                    > 0), true_branch, false_branch, (x,))
        else:
            x = false_branch(x)

        def true_branch_2(x):
            x = x * 2  # louder
            return x

        def false_branch_2(x):
            return x.clone()

        x = torch.cond((x.max()
                > 1) & ((x
                .min()) < 0), true_branch_2, false_branch_2, (x,))
        return (torch.cond((x.mean()
            > 0), lambda x: x.clone(), lambda x: -x, (x,)) if self.mask else -x)


inputs = [(torch.ones(2, 3),), (-torch.ones(2, 3),), (torch.linspace(-2, 3, 6).view(2, 3),)]
# mended: EDB101
