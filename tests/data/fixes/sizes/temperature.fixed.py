"""A temperature from the number of classes, and a size that may be given."""

import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, logits, bias):
        classes = logits.size(1)
        if not isinstance(classes, (int, torch.SymInt)):
            raise TypeError("the number of classes is an int")
        temperature = (classes ** 0.5)
        keep = logits.shape[0]
        return (logits / temperature).softmax(-1) * keep + bias.new_full((keep, classes), 0.5)


dynamic_shapes = {"logits": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}, "bias": None}
example_args = (torch.ones(3, 5), torch.zeros(1))
model = Net()
inputs = [(torch.linspace(-1, 1, b * n).view(b, n), torch.zeros(1)) for b, n in ((3, 5), (2, 8), (4, 4))]
# mended: EDB304
