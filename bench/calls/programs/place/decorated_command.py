import torch
from torch import nn
from torch.export import Dim, export

COMMANDS = {}


def command(name):
    def register(function):
        COMMANDS[name] = function
        return function

    return register


class Logits(nn.Module):
    def __init__(self, cap):
        super().__init__()
        self.cap = cap

    def forward(self, x):
        return self.cap * torch.tanh(x / self.cap) if self.cap else x * float(x.std())


@command("export")
def run_export(cap):
    return export(Logits(cap), (torch.randn(4, 4),), dynamic_shapes=({0: Dim("n")},))


@command("export-uncapped")
def run_uncapped(cap=None):
    return export(Logits(cap), (torch.randn(4, 4),), dynamic_shapes=({0: Dim("n")},))


COMMANDS["export"](30.0)
print("capped: ok")
COMMANDS["export-uncapped"]()
