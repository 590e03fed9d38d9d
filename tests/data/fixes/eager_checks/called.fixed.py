"""Checks that a function makes."""

import torch
from torch import nn


def check(condition, message):
    """Raises where the condition does not hold."""
    if not condition:
        raise ValueError(message)


class Net(nn.Module):
    def forward(self, x, weight):
        kept = x[x > 0]
        if not torch.compiler.is_exporting():
            check(kept.shape[0] in (2, 3), f"2 or 3 elements, not {kept.shape[0]}")
        if not torch.compiler.is_exporting():
            check(bool((weight > 0).all()), "positive weights")  # no zeros
        return kept.sum() + weight


inputs = [(torch.tensor([1.0, -1.0, 2.0]), torch.ones(2)), (torch.tensor([3.0, -1.0, 4.0]), torch.ones(2))]
# mended: EDB101 EDB103
