"""The affine map between two sets of points, as a layer of its own."""

import torch
from torch import nn


def affine(source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    ones = torch.ones(source.shape[0], 1)
    return torch.linalg.pinv(torch.cat([source, ones], dim=1)) @ target


# exportdb: args=(torch.ones(4, 2), torch.ones(4, 2))
class Net(nn.Module):
    def forward(self, source, target):
        matrix = affine(source, target)
        return source @ matrix[:2] + matrix[2]


source = torch.tensor([[0.0, 0.0], [1.0, 0.2], [0.3, 1.0], [1.5, 1.5]])
inputs = [(source, source * 2 - 1), (source.flip(0), source.sin())]
# mended: EDB209
