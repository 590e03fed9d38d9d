"""A power that is reached by doubling."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, n):
        y = x
        count = n.item()

        rounds = torch.tensor(count)

        def keep_going(i, y):
            return i < rounds

        def step(i, y):
            y = y * x + i
            return i + 1, y

        i, y = torch._higher_order_ops.while_loop(
            keep_going, step, (torch.zeros_like(rounds), y.clone())
        )
        return y


inputs = [(torch.full((3,), 0.5), torch.tensor(4)), (torch.full((3,), 0.5), torch.tensor(0))]
# mended: EDB106
