"""How sensitive the scores are to each cell of a small board."""

import torch
from torch import nn


# exportdb: args=(torch.ones(2, 3),)
class Net(nn.Module):
    def forward(self, board):
        warmed = board * 2
        sensitivity = torch.func.jacrev(lambda cells: cells.flatten().softmax(0))(warmed)
        return sensitivity.abs().amax(0), sensitivity


inputs = [(torch.linspace(-1, 1, 6).view(2, 3),), (torch.linspace(2, -1, 6).view(2, 3),)]
# refused: 11 gradient-in-forward
