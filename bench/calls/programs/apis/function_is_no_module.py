import torch
from torch import nn
from torch.export import export


def scale(x):
    return x * 2


class Wrap(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


for thing in (scale, Wrap(scale), Wrap(torch.jit.script(scale)), torch.jit.script(nn.ReLU())):
    try:
        export(thing, (torch.randn(3),))
        print("ok")
    except Exception as e:
        print(type(e).__name__)
