"""A loss that is dropped where it is not a number."""

import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, weight):
        loss = (x * weight).sum() / weight.sum()
        if math.isnan(loss.item()) or math.isinf(loss.item()):
            return x.sum() * 0
        return loss


example_args = (torch.randn(4), torch.rand(4))
model = Net()
inputs = [(torch.randn(4), torch.rand(4)), (torch.randn(4), torch.zeros(4)), (torch.zeros(4), torch.zeros(4))]
# mended: EDB103
