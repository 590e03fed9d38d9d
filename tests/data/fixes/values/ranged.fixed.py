import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, g):
        low = x.min().detach()
        high = x.max().detach()
        total = g.norm().detach()
        scale = 1.0 / (total + 1e-6)
        g = g * torch.where(scale < 1, scale, 1)

        def true_branch(high, low, x, g):
            return torch.zeros_like(x), g.clone()

        def false_branch(high, low, x, g):
            return (x - low) / (high - low), g.clone()

        return torch.cond(
            high - low < 1e-8, true_branch, false_branch, (high, low, x, g)
        )


model = Net()
example_args = (torch.randn(3, 4), torch.randn(3, 4))
inputs = [example_args, (torch.ones(3, 4), torch.randn(3, 4) * 0.01)]
# mended: EDB101 EDB103
