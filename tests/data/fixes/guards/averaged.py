"""Rows that a mask selects get a mean over other dimensions, in layers of a pyramid."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, features: torch.Tensor, boxes: torch.Tensor):
        result = torch.zeros(boxes.shape[0], 3)
        level = boxes[:, 0] > 0.5
        if level.any():
            # all boxes of a level share a vector
            result[level] = features.mean((0, 2, 3))
        return result


example_args = (torch.ones(1, 3, 4, 4), torch.ones(5, 4))
inputs = [
    (torch.arange(48.0).reshape(1, 3, 4, 4), torch.tensor([[1.0, 2, 3, 4], [0, 1, 2, 3]])),
    (torch.arange(48.0).reshape(1, 3, 4, 4), torch.zeros(2, 4)),
]
# mended: EDB101
