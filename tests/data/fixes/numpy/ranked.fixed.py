"""Boxes in the order of their scores, the best one first."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, boxes, scores):
        order = torch.argsort(scores.detach().cpu(), dim=-1, stable=True).flip(0)
        return boxes[order]


example_args = (torch.randn(5, 4), torch.rand(5))
model = Net()
inputs = [(torch.randn(5, 4), torch.rand(5)) for _ in range(3)]
# mended: EDB204
