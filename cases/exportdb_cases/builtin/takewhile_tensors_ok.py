import itertools

import torch


class TakewhileTensorsOk(torch.nn.Module):
    """The predicate of `itertools.takewhile` asks for a size."""

    def forward(self, x):
        return torch.stack(list(itertools.takewhile(lambda row: row.shape[0] > 1, x)))


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = TakewhileTensorsOk()
