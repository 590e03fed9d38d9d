import torch


class ParameterInForwardOk(torch.nn.Module):
    """A parameter made in `__init__` is state of the exported program."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(2) * 3)

    def forward(self, x):
        return x * self.scale


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ParameterInForwardOk()
