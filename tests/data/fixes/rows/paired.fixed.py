"""What all pairs together are worth: rows of two tensors side by side, added up."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.mix = nn.Linear(width, width)

    @torch.no_grad()
    def forward(self, x, y):
        total = torch.zeros(3)

        rounds = torch.tensor(torch.sym_min(x.shape[0], y.shape[0]))

        def keep_going(i, total):
            return i < rounds

        def step(i, total):
            a = x[i.reshape(1)].squeeze(0)
            b = y[i.reshape(1)].squeeze(0)
            gap = self.mix(a) - b
            total = total * 0.9 + gap.relu()
            return i + 1, total

        i, total = torch._higher_order_ops.while_loop(
            keep_going, step, (torch.zeros_like(rounds), total)
        )
        return total, total.sum()


dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}, "y": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(4, 3), torch.ones(4, 3))
model = Net()
inputs = [
    (torch.linspace(-2, 2, 3 * n).view(n, 3).sin(), torch.linspace(-1, 3, 3 * m).view(m, 3).cos())
    for n, m in ((4, 4), (2, 5), (6, 3), (2, 2))
]
# mended: EDB303
