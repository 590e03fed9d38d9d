"""A flow: how a point moves, and the logarithm of how much the space around it grows."""

import torch
from torch import nn


# exportdb: args=(torch.ones(3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        pull = self.layer(x)

        def move(point):
            return point + 0.1 * (point * pull).tanh()

        jacobian = torch.func.jacrev(move)(x)
        return move(x), torch.linalg.slogdet(jacobian)[1]


inputs = [(torch.linspace(-1, 1, 3),), (torch.linspace(2, -1, 3),)]
# refused: 19 gradient-in-forward
