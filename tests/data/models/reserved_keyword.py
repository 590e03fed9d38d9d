"""Modules that take an argument by the keyword `mod`, as modulated convolutions do."""

import torch
from torch import nn


class Modulated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x, mod=None, module=None):
        x = self.layer(x)
        return x if mod is None else x * mod


# exportdb: args=(torch.randn(2, 8),)
class ByKeyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Modulated()

    def forward(self, x):
        return self.block(x, mod=x)  # non-strict: fails


# exportdb: args=(torch.randn(2, 8),)
class ByKeywords(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Modulated()

    def forward(self, x):
        options = {"mod": x.sigmoid()}
        return self.block(x, **options)  # non-strict: fails


# exportdb: args=(torch.randn(2, 8), [torch.randn(8), torch.randn(8)])
class FromIterator(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Modulated(), Modulated()])

    def forward(self, x, mods):
        mods = iter(mods)
        for block in self.blocks:
            x = block(x, mod=next(mods))  # non-strict: fails
        return x


# exportdb: args=(torch.randn(2, 8),)
class Otherwise(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Modulated()

    def scaled(self, x, mod=None):
        return x * mod

    def forward(self, x, mod=None):
        x = self.block(x, x) + self.block(x, module=x) + self.block.forward(x, mod=x)
        return self.scaled(x, mod=x)
