"""A loss of the rows that have a label, under a condition that says nothing of them: within torch.cond it would compare their
number with 0, and computed in any case it may raise for labels that are out of range."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, logits, labels):
        keep = labels != -100
        return F.cross_entropy(logits[keep], labels[keep]) if logits.sum() > 0 else logits.sum() * 0


example_args = (torch.randn(6, 5), torch.tensor([0, 1, -100, 2, 3, -100]))
model = Net()
inputs = [(torch.ones(6, 5), torch.tensor([0, 1, -100, 2, 3, -100])), (-torch.ones(6, 5), torch.full((6,), -100))]
# refused: 12 untraceable
