from enum import Enum

import torch


class Animal(Enum):
    COW = "moo"


class SpecializedAttribute(torch.nn.Module):
    """A Python value on the module is a constant of the graph."""

    def __init__(self):
        super().__init__()
        self.sound = "moo"
        self.shift = 4

    def forward(self, x):
        if self.sound == Animal.COW.value:
            return x * x + self.shift
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = SpecializedAttribute()
exportdb_case = "specialized_attribute"
