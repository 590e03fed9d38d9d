"""A network that keeps training its normalisation, over the rows that count."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def train(self, mode=True):
        # Always in training.
        return super().train(True)

    def forward(self, x, keep):
        return self.norm(x[keep]), self.norm.running_mean + 0, self.norm.running_var + 0


model = Net()
example_args = (torch.ones(4, 2), torch.tensor([True, True, False, True]))
inputs = [
    (torch.linspace(-1, 1, 8).view(4, 2), torch.tensor([True, True, False, True])),
    (torch.linspace(1, -2, 8).view(4, 2), torch.tensor([False, True, False, True])),
    (torch.linspace(-1, -2, 8).view(4, 2), torch.tensor([False, False, False, False])),
    (torch.linspace(-1, -2, 8).view(4, 2), torch.tensor([False, False, True, False])),
    (torch.linspace(1, 2, 8).view(4, 2).sin(), torch.tensor([True, True, True, True])),
]
# refused: 17 size-from-data
