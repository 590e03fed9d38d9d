"""Layers that a flag passes over."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x, active):
        for i, layer in enumerate(self.layers):
            def true_branch(x):
                y = layer(x)
                x = x + y
                return x

            def false_branch(x):
                return x.clone()

            x = torch.cond(active[i], true_branch, false_branch, (x,))
        return x


model = Net()
example_args = (torch.ones(2, 4), torch.tensor([True, False, True]))
inputs = [
    (torch.linspace(-2, 3, 8).view(2, 4), torch.tensor(flags))
    for flags in ([True, False, True], [False, False, False], [True, True, True])
]
# mended: EDB101
