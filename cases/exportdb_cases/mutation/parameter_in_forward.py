import torch


class ParameterInForward(torch.nn.Module):
    """A parameter made in forward is new in every call: strict refuses it."""

    def forward(self, x):
        scale = torch.nn.Parameter(torch.ones(2) * 3)
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = ParameterInForward()
