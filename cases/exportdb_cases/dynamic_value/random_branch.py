import random

import torch


class RandomBranch(torch.nn.Module):
    """Dropping a layer by Python's random generator bakes one choice in."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(8))

    def forward(self, x):
        for layer in self.layers:
            if random.random() < 0.5:
                continue
            x = layer(x)
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "python.control-flow"}
model = RandomBranch()
issues = (
    "https://github.com/pytorch/pytorch/issues/102794",
    "https://github.com/pytorch/pytorch/issues/95425",
)
