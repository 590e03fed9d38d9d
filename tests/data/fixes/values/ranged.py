import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, g):
        low = x.min().item()
        high = x.max().item()
        total = g.norm().item()
        scale = 1.0 / (total + 1e-6)
        if scale < 1:
            g = g * scale
        if high - low < 1e-8:
            return torch.zeros_like(x), g
        return (x - low) / (high - low), g


model = Net()
example_args = (torch.randn(3, 4), torch.randn(3, 4))
inputs = [example_args, (torch.ones(3, 4), torch.randn(3, 4) * 0.01)]
# mended: EDB101 EDB103
