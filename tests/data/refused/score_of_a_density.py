"""A step along the score of a mixture, whose logarithm is differentiated."""

import torch
from torch import nn


# exportdb: args=(torch.ones(4), torch.ones(3))
class Net(nn.Module):
    def forward(self, x, centres):
        step = 0.1
        score = torch.func.grad(lambda y: (-(y[:, None] - centres).square()).logsumexp(1).sum())(x)
        return x + step * score


inputs = [
    (torch.linspace(-1, 1, 4), torch.linspace(-1, 1, 3)),
    (torch.linspace(2, -1, 4), torch.linspace(-2, 1, 3)),
]
# refused: 11 gradient-in-forward
