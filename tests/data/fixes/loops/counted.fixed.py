"""The number of rounds is counted first, and is a name."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x.view(-1)
        count = (x > 0).sum().item()
        total = x.sum()

        rounds = torch.tensor(count)

        def keep_going(step, total):
            return step < rounds

        def step_2(step, total):
            total = total + y.sum() * step
            return step + 1, total

        step, total = torch._higher_order_ops.while_loop(
            keep_going, step_2, (torch.zeros_like(rounds), total)
        )
        return total * y


inputs = [(torch.linspace(-3, 3, 6).view(2, 3) + k,) for k in (0.0, 5.0, -5.0)]
# mended: EDB106
