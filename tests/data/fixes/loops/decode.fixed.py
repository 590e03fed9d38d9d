"""As many steps as a tensor says, each from the one before."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(3, 3)
        self.head = nn.Linear(3, 1)

    @torch.no_grad()
    def forward(self, h, steps):
        rounds = steps.reshape(())

        def keep_going(i, h):
            return i < rounds

        def step(i, h):
            h = torch.tanh(self.cell(h))
            return i + 1, h

        i, h = torch._higher_order_ops.while_loop(keep_going, step, (torch.zeros_like(rounds), h))
        return self.head(h)


inputs = [(torch.ones(2, 3), torch.tensor(3)), (torch.ones(2, 3), torch.tensor(1)), (torch.ones(2, 3), torch.tensor(0))]
# mended: EDB106
