"""for over range(t.item()), with the counter in use and without."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(3, 3)

    @torch.no_grad()
    def forward(self, x, steps):
        state = torch.zeros_like(x)

        rounds = steps.max()

        def keep_going(i, state):
            return i < rounds

        def step(i, state):
            state = torch.tanh(self.cell(x) + state) + i
            return i + 1, state

        i, state = torch._higher_order_ops.while_loop(
            keep_going, step, (torch.zeros_like(rounds), state)
        )

        rounds_2 = steps.min().to(torch.int64)

        def keep_going_2(i_2, x):
            return i_2 < rounds_2

        def step_2(i_2, x):
            x = x * 2
            return i_2 + 1, x

        i_2, x = torch._higher_order_ops.while_loop(
            keep_going_2, step_2, (torch.zeros_like(rounds_2), x)
        )
        return state + x


inputs = [(torch.ones(2, 3), torch.tensor([1, k])) for k in (3, 0, 5)]
# mended: EDB106
