"""States that are copied as they go."""

from copy import deepcopy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    @torch.no_grad()
    def forward(self, x):
        states = []
        h = torch.zeros_like(x)
        for _ in range(3):
            h = torch.tanh(self.lin(h) + x)
            states.append(h.clone())
            h *= 0.5
        return torch.stack(states)


inputs = [(torch.ones(2, 3),), (-torch.ones(2, 3),)]
# mended: EDB207
