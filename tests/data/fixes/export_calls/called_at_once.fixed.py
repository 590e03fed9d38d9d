"""What export returns is called without a name, in a function."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, *, power=2):
        return x**power


def traced(args, power):
    return torch.export.export(Net(), args, {"power": power}).module()(*args, power=power)


inputs = [(torch.linspace(-1, 1, 6).view(2, 3),), (torch.ones(2, 3),)]
results = [
    traced(args, 3)  # of the model itself
    for args in inputs
]
exported = torch.export.export(Net(), inputs[0])
# mended: EDB903
