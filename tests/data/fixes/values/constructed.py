"""Tensors constructed from numbers that were read from tensors."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        peak = x.max().item()
        count = len(x[x > 0])
        scale = torch.as_tensor(peak, dtype=x.dtype)  # of the loudest
        size = torch.LongTensor([count, 1])
        return x * scale, size, x.new_tensor([peak, 1.0]), torch.Tensor([peak])


model = Net()
example_args = (torch.ones(3, 2),)
inputs = [example_args, (torch.tensor([[1.0, -2.0], [3.0, -4.0], [0.5, 7.0]]),)]
# mended: EDB203 EDB206
