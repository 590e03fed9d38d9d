"""Two carried tensors, a condition of two parts, a branch inside the loop."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, a):
        guess = torch.ones_like(a)
        rounds = torch.zeros((), dtype=torch.int64)
        while (guess * guess - a).abs().max() > 1e-3 and rounds < 20:
            better = (guess + a / guess) / 2
            if rounds > 2:
                better = better * 1.0
            guess = better
            rounds = rounds + 1
        return guess, rounds


inputs = [(torch.ones(2, 3) * s,) for s in (100.0, 1.0, 7.0)]
# mended: EDB101
