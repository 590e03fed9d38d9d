"""Sides whose sizes the example tells, numbers beside tensors, and sums."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("short", torch.linspace(0.1, 1, 4))
        self.register_buffer("long", torch.linspace(0.2, 3, 4))

    def forward(self, x, guide, positions, flag):
        factors = torch.where(positions.max() > 8, self.long, self.short)
        norm = x.norm()
        scale = 1.0
        # never more than that
        scale = torch.where(norm > 2.0, 2.0 / norm, scale)
        weight = torch.where(flag, x.mean(), x.sum())
        return torch.where(weight > 0, guide + weight * (x - guide) * factors, x * scale)


model = Net()
x = torch.linspace(-1, 2, 8).view(2, 4)
example_args = (x, torch.ones(2, 4), torch.arange(4), torch.tensor(True))
inputs = [(x * s, torch.ones(2, 4), torch.arange(4) * k, torch.tensor(f)) for s in (0.1, 3.0, -1.0) for k, f in ((1, True), (5, False))]
# mended: EDB101 EDB103
