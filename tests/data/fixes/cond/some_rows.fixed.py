"""Rows that are there only if a mask has any."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.long = nn.Linear(3, 4)
        self.short = nn.Linear(3, 4)

    def forward(self, x, lengths):
        longest = lengths.max().item()

        def true_branch(x):
            x = self.long(x)
            return x

        def false_branch(x):
            x = self.short(x)
            return x

        x = torch.cond(longest > 2, true_branch, false_branch, (x,))
        return x.relu()


inputs = [(torch.ones(2, 3), torch.tensor([1, 5])), (torch.ones(2, 3), torch.tensor([1, 2]))]
# mended: EDB103
