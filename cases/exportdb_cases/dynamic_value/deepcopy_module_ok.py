import copy

import torch


class DeepcopyModuleOk(torch.nn.Module):
    """The copy is made with the model, not in forward."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.copied = copy.deepcopy(self.layer)

    def forward(self, x):
        return self.copied(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DeepcopyModuleOk()
