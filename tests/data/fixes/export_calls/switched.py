"""The mode of a program is asked for where it is used."""

import torch
from torch import nn
from torch.export import export


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x).relu()


def served(args):
    program = export(
        Net(),
        args,
    )
    # Inference only.
    return program.eval()


def trained(args):
    program = export(nn.Linear(3, 3), args)
    program.train()
    return program


inputs = [(torch.linspace(-1, k, 6).view(2, 3),) for k in (1.0, 2.0)]
exported = served(inputs[0])
learned = trained(inputs[0])
# mended: EDB903
