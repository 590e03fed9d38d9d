"""A raise with an else that computes, inside a method, beside a branch that becomes torch.cond."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def normalise(self, x):
        total = x.abs().sum()
        torch._assert_async(total != 0, "all zero")
        x = x / total
        return x

    def forward(self, x):
        x = self.normalise(x)

        def true_branch(x):
            x = self.lin(x)
            return x

        def false_branch(x):
            return x.clone()

        x = torch.cond(x.mean() > 0, true_branch, false_branch, (x,))
        return x


inputs = [(torch.ones(2, 3),), (-torch.ones(2, 3),), (torch.zeros(2, 3),)]
# mended: EDB101
