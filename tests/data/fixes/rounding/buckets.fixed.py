"""Scores divided by the length's bucket of ten."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.floor = 10

    def forward(self, scores):
        length = scores.shape[0]
        bucket = ((length + 4 + (length // 10) % 2) // 10 * 10) + self.floor
        total = scores.cumsum(0)[-1]
        return total / bucket, scores * (
            (scores.shape[0] + 4 + (scores.shape[0] // 10) % 2) // 10 * 10
        )


dynamic_shapes = {"scores": {0: Dim.DYNAMIC}}
example_args = (torch.ones(12, 2),)
model = Net()
inputs = [(torch.ones(n, 2),) for n in (12, 4, 5, 15, 25, 26)]
# mended: EDB301
