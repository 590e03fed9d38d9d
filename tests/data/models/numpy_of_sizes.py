"""Sizes and numbers from data that are given to numpy, and Python lists that are indexed by sizes."""

import numpy as np
import torch
from torch import nn
from torch.export import Dim


# exportdb: args=(torch.randn(2, 6, 4),) dynamic_shapes={"x": {1: Dim("steps")}}
class Scaled(nn.Module):
    def forward(self, x):
        return x / np.sqrt(x.shape[1])  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 6, 4),) dynamic_shapes={"x": {0: Dim("batch")}}
class ScaledByWidth(nn.Module):
    def forward(self, x):
        return x / np.sqrt(x.shape[2])


# exportdb: args=(torch.randn(2, 6, 4),) dynamic_shapes={"x": {1: Dim.AUTO}}
class Flat(nn.Module):
    def forward(self, x):
        return x * np.prod(x.shape[1:])  # strict: specializes


# exportdb: args=(torch.randn(2, 6, 4),) dynamic_shapes={"x": {0: Dim.AUTO}}
class FlatBehindTheBatch(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0], int(np.prod(x.shape[1:])))


# exportdb: args=(torch.randn(2, 6, 4), torch.tensor(3))
class ByData(nn.Module):
    def forward(self, x, count):
        return x / np.sqrt(count.item())  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 6, 4),) dynamic_shapes={"x": {1: Dim.AUTO}}
class Schedule(nn.Module):
    def __init__(self):
        super().__init__()
        self.rates = [0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01]

    def forward(self, x):
        return x * self.rates[x.shape[1]]  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 6, 4),) dynamic_shapes={"x": {1: Dim.DYNAMIC}}
class Quotient(nn.Module):
    def forward(self, x):
        rows, rest = divmod(x.shape[1], 4)  # non-strict: fails; strict: fails
        return x * rows + rest


# exportdb: args=(torch.randn(2, 6, 4),) dynamic_shapes={"x": {1: Dim.DYNAMIC}}
class Matched(nn.Module):
    def forward(self, x):
        match x.shape:
            case (2, 6, 4):  # non-strict: fails; strict: fails
                return x * 2
            case _:
                return x


# exportdb: args=(torch.randn(8, 4), torch.tensor([3, 5]))
class Sections(nn.Module):
    def forward(self, x, lengths):
        kept = x[x[:, 0] > -9]
        first, second = kept.split([2, kept.shape[0] - 2])
        return first.sum() + second.sum()
