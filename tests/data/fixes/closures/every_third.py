"""Two closures count apart from each other; one of them decides."""

import torch
from torch import nn


def make_counter(step):
    """How often it was called, in steps."""
    count = 0
    total = 0.0

    def tick(weight):
        nonlocal count, total
        count += step
        total += weight * 0.5
        if count > 2:
            count = 0
        return count + total

    return tick


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.slow = make_counter(1)
        self.fast = make_counter(step=2)

    def forward(self, x):
        y = x * self.slow(1.0)
        return y + self.fast(0.1)


inputs = [(torch.randn(2, 4),)] * 6
# mended: EDB101 EDB404
