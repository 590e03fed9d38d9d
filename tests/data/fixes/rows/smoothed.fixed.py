"""A running average over rows, weighed by their place."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, decay=0.75, width=3):
        super().__init__()
        self.decay = decay
        self.project = nn.Linear(width, width)

    def forward(self, x):
        x = self.project(x)
        kept = torch.zeros_like(x[0])
        weight = torch.zeros(3)

        rounds = torch.tensor(x.shape[0])

        def keep_going(i, kept, weight):
            return i < rounds

        def step(i, kept, weight):
            row = x[i.reshape(1)].squeeze(0)
            kept = kept * self.decay + row * (1 - self.decay)
            weight = weight + row.abs() * i
            return i + 1, kept, weight

        i, kept, weight = torch._higher_order_ops.while_loop(
            keep_going, step, (torch.zeros_like(rounds), kept, weight)
        )
        return kept, weight


dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.linspace(-1, 1, 12).view(4, 3),)
model = Net()
inputs = [(torch.linspace(-1, 1, 3 * n).view(n, 3),) for n in (4, 2, 6)]
# mended: EDB303
