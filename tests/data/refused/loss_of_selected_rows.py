"""A loss of the rows that have a label, within torch.cond it would compare their number with 0."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, logits, labels):
        keep = labels != -100
        if keep.sum() == 0:
            return logits.new_zeros(())
        return F.cross_entropy(logits[keep], labels[keep])


example_args = (torch.randn(6, 5), torch.tensor([0, 1, -100, 2, 3, -100]))
model = Net()
inputs = [(torch.randn(6, 5), torch.tensor([0, 1, -100, 2, 3, -100])), (torch.randn(6, 5), torch.full((6,), -100))]
# refused: 11 untraceable
