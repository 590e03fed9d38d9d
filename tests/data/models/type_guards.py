"""Checks of types that numbers pass in eager, and symbols do not while tracing."""

from collections.abc import Sequence

import torch
from torch import nn
from torch.export import Dim


def to_pair(size):
    if isinstance(size, (list, tuple)):
        return tuple(size)
    if not isinstance(size, int):
        raise TypeError("an int or a pair")  # non-strict: fails
    return (size, size)


# exportdb: args=(torch.randn(4, 4),) dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}}
class Pair(nn.Module):
    def forward(self, x):
        height, width = to_pair(x.shape[0])
        return x.new_zeros(height, width)


# exportdb: args=(torch.randn(4, 4),) dynamic_shapes={"x": {0: Dim("rows", max=64)}}
class Asserted(nn.Module):
    def forward(self, x):
        rows = x.size(0)
        assert rows is None or isinstance(rows, int), "rows"  # non-strict: fails
        return x * rows


# exportdb: args=(torch.randn(4, 4),) dynamic_shapes={"x": {0: Dim("rows", max=64)}}
class EitherOfTwo(nn.Module):
    def forward(self, x):
        rows = x.size(0)
        if not (isinstance(rows, torch.Tensor) or isinstance(rows, (int, float))):
            raise ValueError(rows)  # non-strict: fails
        return x * rows


# exportdb: args=(torch.randn(4, 4), torch.tensor(3))
class FromTensor(nn.Module):
    def forward(self, x, n):
        steps = n.item()
        if not isinstance(steps, int):
            raise TypeError("steps")  # non-strict: fails
        return x * steps


# exportdb: args=(torch.randn(4, 4), torch.tensor(3)) dynamic_shapes={"x": {0: Dim.AUTO}, "n": None}
class Passed(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        assert isinstance(width, int)
        self.width = width

    def forward(self, x, n):
        rows, steps = x.shape[0], n.item()
        assert isinstance(rows, (int, torch.SymInt))
        assert not isinstance(rows, float)
        assert isinstance(self.width, int) and isinstance(x.shape[1], int)
        if isinstance(steps, str) or isinstance(rows, Sequence):
            raise TypeError(steps)
        return x * rows + steps
