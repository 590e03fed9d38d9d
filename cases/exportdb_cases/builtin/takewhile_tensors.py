import itertools

import torch


class TakewhileTensors(torch.nn.Module):
    """`itertools.takewhile` asks its predicate for the truth of a tensor."""

    def forward(self, x):
        return torch.stack(list(itertools.takewhile(lambda row: row.sum() > -100, x)))


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TakewhileTensors()
