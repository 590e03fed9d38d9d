"""Tensors constructed from numbers that were read from tensors."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        peak = x.max().item()
        count = x[x > 0].shape[0]
        scale = torch.tensor(peak, dtype=x.dtype)  # of the loudest
        size = torch.tensor([count, 1], dtype=torch.int64)
        return x * scale, size, torch.tensor(
            [peak, 1.0], dtype=x.dtype, device=x.device
        ), torch.tensor([peak], dtype=torch.get_default_dtype())


model = Net()
example_args = (torch.ones(3, 2),)
inputs = [example_args, (torch.tensor([[1.0, -2.0], [3.0, -4.0], [0.5, 7.0]]),)]
# mended: EDB203 EDB206
