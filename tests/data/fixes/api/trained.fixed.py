"""A program for training, and one for inference."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x)) + x
        return x


def captured(model, args):
    # Training keeps the operators as they are.
    return torch.export.export(model, args)


torch.manual_seed(0)
inputs = [(torch.linspace(-1, k, 6).view(2, 3),) for k in (1.0, 2.0)]
exported = captured(Net().eval(), inputs[0])
# mended: EDB901
