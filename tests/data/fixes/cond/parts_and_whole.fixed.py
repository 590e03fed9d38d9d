"""A branch in a loop over the parts of a tensor reads the part and the whole, which share storage."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        whole = self.layer(x)
        total = torch.zeros(4)
        for part in whole.split(3):
            def true_branch(part, total, whole):
                total = total + self.layer(part).sum(0) * whole.mean(0)
                return total

            def false_branch(part, total, whole):
                total = total - part.mean(0) * whole.sum(0)
                return total

            total = torch.cond(
                part.sum() > 0, true_branch, false_branch, (part, total, whole.clone())
            )
        return total


inputs = [(torch.randn(6, 4),), (torch.ones(6, 4) * 5,), (-torch.ones(6, 4) * 5,)]
# mended: EDB101
