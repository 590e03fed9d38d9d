"""Sizes and numbers from data where an operator takes a Python number: its kernel, stride, length or offset."""

import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


# exportdb: args=(torch.randn(2, 3, 8), torch.tensor(2))
class Padding(nn.Module):
    def forward(self, x, n):
        return F.conv1d(x, torch.ones(3, 3, 3), padding=n.item())  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 3, 8), torch.tensor(2))
class BoundedPadding(nn.Module):
    def forward(self, x, n):
        size = n.item()
        torch._check(size >= 1)
        torch._check(size <= 8)
        return F.conv1d(x, torch.ones(3, 3, 3), padding=size)


# exportdb: args=(torch.randn(2, 3, 8),)
class DilationsOfABuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("dilations", torch.tensor([1, 2]))

    def forward(self, x):
        pieces = []
        for i in range(2):
            dilation = self.dilations[i].item()
            piece = F.conv1d(x, torch.ones(3, 3, 3), dilation=dilation)  # non-strict: fails; strict: fails
            pieces.append(piece.sum(2))
        return torch.cat(pieces)


# exportdb: args=(torch.randn(2, 3, 8), torch.tensor(4))
class Spectrum(nn.Module):
    def forward(self, x, n):
        return torch.fft.rfft(x, n.item()).abs()  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 3, 8), torch.tensor(4))
class Pooled(nn.Module):
    def forward(self, x, n):
        return F.max_pool1d(x, n.item())  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 8), torch.tensor(4))
class Normed(nn.Module):
    def forward(self, x, n):
        return F.local_response_norm(x[..., None], n.item())  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 3, 8),) dynamic_shapes={"x": {1: Dim("channels")}}
class StrideOfASize(nn.Module):
    def forward(self, x):
        return F.avg_pool1d(x, 2, stride=x.shape[1])  # non-strict: fails; strict: fails


# exportdb: args=(torch.randn(2, 3, 8),) dynamic_shapes={"x": {1: Dim.AUTO}}
class BinsOfASize(nn.Module):
    def forward(self, x):
        return torch.histc(x, x.shape[1])  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 3, 8),) dynamic_shapes={"x": {2: Dim.DYNAMIC}}
class HalfOfASize(nn.Module):
    def forward(self, x):
        return F.avg_pool1d(x, x.shape[2] // 2, stride=1)  # non-strict: specializes; strict: specializes


# exportdb: args=(torch.randn(2, 3, 8),) dynamic_shapes={"x": {2: Dim.DYNAMIC}}
class StrideOfAConvolution(nn.Module):
    def forward(self, x):
        return F.conv1d(x, torch.ones(3, 3, 1), padding=x.shape[2] // 4)
