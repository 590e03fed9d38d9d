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
        for i in range(steps.max().item()):
            state = torch.tanh(self.cell(x) + state) + i
        for _ in range(int(steps.min().item())):
            x = x * 2
        return state + x


inputs = [(torch.ones(2, 3), torch.tensor([1, k])) for k in (3, 0, 5)]
# mended: EDB106
