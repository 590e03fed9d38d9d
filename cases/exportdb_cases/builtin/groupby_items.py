import itertools

import torch


class GroupbyItems(torch.nn.Module):
    """`itertools.groupby` compares numbers read from a tensor."""

    def forward(self, x, labels):
        return x * len(list(itertools.groupby(labels.tolist())))


example_args = (torch.randn(3, 2), torch.tensor([0, 0, 1]))
tags = {"python.builtin", "torch.dynamic-value"}
model = GroupbyItems()
