import torch


class ModuleInForwardOk(torch.nn.Module):
    """A module made in `__init__` is state of the exported program."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 4)

    def forward(self, x):
        return self.layer(x)


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ModuleInForwardOk()
