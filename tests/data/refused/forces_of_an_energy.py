"""Forces on a few particles: the gradient of their energy, which pulls them to the origin and apart."""

import torch
from torch import nn


def energy(positions):
    apart = (positions[:, None] - positions[None]).square().sum(-1)
    return positions.square().sum() + (-apart).exp().sum()


# exportdb: args=(torch.ones(3, 2),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.tensor(0.5))

    def forward(self, positions):
        forces = -torch.func.grad(energy)(positions)  # downhill
        return energy(positions), positions + self.gain * forces


inputs = [(torch.linspace(-1, 1, 6).view(3, 2),), (torch.linspace(2, -1, 6).view(3, 2),)]
# refused: 19 gradient-in-forward
