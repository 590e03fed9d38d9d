"""Slices by dynamic sizes: export keeps which of them is larger, and whether all is taken, where that is not the same for all sizes."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


# exportdb: args=(torch.randn(2, 8, 4), torch.randn(2, 6, 4)) dynamic_shapes={"keys": {1: Dim.AUTO}, "queries": {1: Dim.AUTO}}
class Cropped(nn.Module):
    def forward(self, keys, queries):
        return keys[:, : queries.shape[1]].mean(1)  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 8, 4), torch.randn(2, 8, 4)) dynamic_shapes={"keys": {1: Dim.AUTO}, "queries": {1: Dim.AUTO}}
class LastOnes(nn.Module):
    def forward(self, keys, queries):
        return keys[:, -queries.shape[1] :].mean(1)  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 8), torch.randn(2, 6)) dynamic_shapes={"keys": {1: Dim.AUTO}, "queries": {1: Dim.AUTO}}
class CroppedOrFilled(nn.Module):
    def forward(self, keys, queries):
        _, length = queries.shape
        if keys.shape[1] > length:  # non-strict: specializes; strict: specializes
            return keys[:, :length] + queries
        return F.pad(keys, (0, length - keys.shape[1])) + queries


# exportdb: args=(torch.randn(2, 6), torch.randn(2, 8)) dynamic_shapes={"keys": {1: Dim.AUTO}, "queries": {1: Dim.AUTO}}
class CroppedOtherwise(nn.Module):
    def forward(self, keys, queries):
        size = keys.shape[1]
        if size > queries.shape[1]:  # non-strict: specializes; strict: specializes
            return keys.mean(1)
        return queries[:, :size].mean(1)  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 8),) dynamic_shapes={"x": {1: Dim.AUTO}}
class Padded(nn.Module):
    def forward(self, x):
        n = x.shape[1]
        x = F.pad(x, (0, (4 - n % 4) % 4))
        return x[:, :n].mean(1)  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 8),) dynamic_shapes={"x": {1: Dim.AUTO}}
class Joined(nn.Module):
    def forward(self, x):
        n = x.shape[1]
        return torch.cat([x, x], 1)[:, :n], F.pad(x, (0, 4))[:, :n], x[:, : n // 2], x[:, n // 2 :]


# exportdb: args=(torch.randn(9, 2),) dynamic_shapes={"x": {0: Dim.AUTO}}
class Outermost(nn.Module):
    def forward(self, x):
        return x[: x.shape[0] // 2 * 2].mean(1)


# exportdb: args=(torch.randn(2, 8, 4), torch.randn(2, 8, 4)) dynamic_shapes={"a": {1: Dim.AUTO}, "b": {1: Dim.AUTO}}
class Equal(nn.Module):
    def forward(self, a, b):
        total = a + b
        return total[:, : b.shape[1]].mean(1)


# exportdb: args=(torch.randn(2, 8, 4),) dynamic_shapes={"x": {1: Dim.AUTO}}
class NotContiguous(nn.Module):
    def forward(self, x):
        n = x.shape[1] // 2 * 2
        return x[:, :, 1:][:, :n].mean(1) + x.transpose(1, 2)[:, 1:, :n].mean(2)
