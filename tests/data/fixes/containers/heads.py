"""Heads in a dict by name, called for each entry of a comprehension, and gates that a loop puts into another one."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, depth=2):
        super().__init__()
        self.heads = {
            "mean": nn.Linear(size, 2),  # of the values
            "scale": nn.Linear(size, 2),
        }
        self.gates = {}
        for i in range(depth):
            self.gates[f"gate{i}"] = nn.Linear(size, 1)

    def forward(self, x):
        for gate in self.gates.values():
            x = x * gate(x).sigmoid()
        if "mean" in self.heads:
            x = x - self.heads["mean"](x).mean()
        return {name: head(x) for name, head in self.heads.items()}


example_args = (torch.randn(3, 4),)
model = Net()
inputs = [(torch.randn(3, 4),) for _ in range(3)]
# mended: EDB408
