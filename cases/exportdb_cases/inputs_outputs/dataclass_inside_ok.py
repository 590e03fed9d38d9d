from dataclasses import dataclass

import torch


@dataclass
class Pair:
    x: torch.Tensor
    y: torch.Tensor


class DataclassInsideOk(torch.nn.Module):
    """A dataclass that is made and used inside forward needs no registration."""

    def forward(self, x):
        pair = Pair(x.sin(), x.cos())
        return pair.x + pair.y


example_args = (torch.randn(3),)
tags = {"python.data-structure", "python.object-model"}
model = DataclassInsideOk()
