"""Means whose denominator may be zero, and losses of the elements that have a label."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def mean(self, x, weight):
        total = weight.sum()
        return torch.where(total == 0, torch.zeros(()), (x * weight).sum() / torch.where(total == 0, 1, total))

    def forward(self, x, labels):
        logits = self.layer(x)
        keep = labels != -100
        count = keep.sum()
        # per element
        first = torch.where(count > 0, logits[keep].abs().sum() / count.clamp(min=1), torch.tensor(0.0))
        second = self.mean(x, keep.float().unsqueeze(-1))
        third = torch.where(keep.any(), F.cross_entropy(logits[keep], labels[keep]), 0.0)

        def true_branch(keep, first, second, third, logits, x):
            return first + second + third * 2, logits.sum() * 0.0

        def false_branch(keep, first, second, third, logits, x):
            return first + second + third * 2, F.mse_loss(logits[keep], x[keep])

        return torch.cond(keep.sum() == 0, true_branch, false_branch, (keep, first, second, third, logits, x))


x = torch.arange(12.0).reshape(4, 3) / 12
inputs = [(x, torch.tensor([0, 1, -100, 2])), (x - 1, torch.full((4,), -100)), (x + 1, torch.tensor([0, 1, 2, 1]))]
# mended: EDB101
