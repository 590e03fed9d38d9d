import itertools

import torch


class GroupbyItemsOk(torch.nn.Module):
    """`itertools.groupby` compares sizes; the changes of labels are counted by an operator."""

    def forward(self, x, labels):
        kinds = len(list(itertools.groupby(x.split(1), key=lambda part: part.shape[1])))
        return x * (kinds + (labels[1:] != labels[:-1]).sum())


example_args = (torch.randn(3, 2), torch.tensor([0, 0, 1]))
tags = {"python.builtin", "torch.dynamic-value"}
model = GroupbyItemsOk()
