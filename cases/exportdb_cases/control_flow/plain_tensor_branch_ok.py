import torch


class PlainTensorBranchOk(torch.nn.Module):
    """A number that the constructor keeps as it is: tracing knows its value."""

    def __init__(self):
        super().__init__()
        self.limits = {"low": 0}

    def forward(self, x):
        if self.limits["low"] > 0:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = PlainTensorBranchOk()
