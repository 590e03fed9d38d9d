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
        if total == 0:
            return torch.zeros(())
        return (x * weight).sum() / total

    def forward(self, x, labels):
        logits = self.layer(x)
        keep = labels != -100
        count = keep.sum()
        if count > 0:  # per element
            first = logits[keep].abs().sum() / count
        else:
            first = torch.tensor(0.0)
        second = self.mean(x, keep.float().unsqueeze(-1))
        third = F.cross_entropy(logits[keep], labels[keep]) if keep.any() else 0.0
        if keep.sum() == 0:
            return first + second + third * 2, logits.sum() * 0.0
        return first + second + third * 2, F.mse_loss(logits[keep], x[keep])


x = torch.arange(12.0).reshape(4, 3) / 12
inputs = [(x, torch.tensor([0, 1, -100, 2])), (x - 1, torch.full((4,), -100)), (x + 1, torch.tensor([0, 1, 2, 1]))]
# mended: EDB101
