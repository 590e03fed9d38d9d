import copy

import torch


class DeepcopyModule(torch.nn.Module):
    """A module that is copied while tracing needs the data of its parameters."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        layer = copy.deepcopy(self.layer)
        return layer(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DeepcopyModule()
