"""Dimensions that operators make equal, and what specializes one specializes the others; tensors that are unpacked."""

import torch
from torch import nn
from torch.export import Dim


# exportdb: args=(torch.randn(2, 8, 4), torch.randn(2, 8, 4)) dynamic_shapes={"x": {1: Dim.AUTO}, "mask": {1: Dim.AUTO}}
class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 4)

    def forward(self, x, mask):
        x = x * mask
        h = x.new_zeros(2, 4)
        for step in range(x.shape[1]):  # non-strict: specializes; strict: specializes
            h = self.cell(x[:, step], h)
        return h


# exportdb: args=(torch.randn(2, 4), torch.randn(2, 4)) dynamic_shapes={"x": {1: Dim.AUTO}, "y": {1: Dim.AUTO}}
class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, y):
        total = x + y
        return self.linear(total)  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(8), torch.randn(9), torch.randn(8)) dynamic_shapes=({0: Dim.AUTO}, {0: Dim.AUTO}, {0: Dim.AUTO})
class Shifted(nn.Module):
    def forward(self, x, y, z):
        total = x + y[1:]  # non-strict: specializes; strict: specializes
        return total + torch.ones(8), z * 2  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(8), torch.randn(8)) dynamic_shapes={"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}
class Free(nn.Module):
    def forward(self, x, y):
        return torch.cat([x + y, torch.ones(8)])


# exportdb: args=(torch.zeros(2, 8, dtype=torch.long),) dynamic_shapes={"edges": {0: Dim.AUTO, 1: Dim.AUTO}}
class Edges(nn.Module):
    def forward(self, edges):
        source, target = edges  # non-strict: specializes; strict: specializes
        return source + target


# exportdb: args=(torch.randn(2, 3, 8),) dynamic_shapes={"x": {0: Dim("n"), 1: Dim("m")}}
class FirstAndRest(nn.Module):
    def forward(self, x):
        first, *rest = x.transpose(0, 1)  # non-strict: fails; strict: fails
        return first + rest[-1]


# exportdb: args=(torch.randn(2, 8),) dynamic_shapes={"x": {1: Dim("n")}}
class Halves(nn.Module):
    def forward(self, x):
        left, right = x
        return left + right


# exportdb: args=(torch.randn(4, 8), torch.tensor([True, False, True, False]))
class Selected(nn.Module):
    def forward(self, x, mask):
        left, right = x[mask]  # non-strict: fails; strict: fails
        return left + right
