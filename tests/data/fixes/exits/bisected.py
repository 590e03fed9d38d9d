"""A threshold is looked for by halving, until it is met; how many halvings it took is told."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, rounds=3):
        super().__init__()
        self.rounds = rounds
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, z):
        z = z * self.scale
        low, high = z.max() - 1, z.max() * 1.0
        taken = 0
        for _ in range(self.rounds):
            middle = (low + high) / 2
            over = (z - middle).clamp(min=0).sum() - 1
            if over > 0:
                low = middle
            elif over < 0:
                high = middle
            else:
                break
            taken += 1
        return (z - (low + high) / 2).clamp(min=0), taken


model = Net()
inputs = [(torch.tensor(values),) for values in ([0.1, 0.9, 0.4], [2.0, 0.0, 0.0], [0.5, 0.5, 0.5], [1.5, 1.5, 0.0], [1.0, 1.0, -9.0])]
# mended: EDB101
