import torch


def scaled(x):
    return x * scaled.factor


scaled.factor = 2.0


class FunctionAttributeOk(torch.nn.Module):
    """An attribute of a function is read."""

    def forward(self, x):
        return scaled(x)


example_args = (torch.randn(3, 2),)
tags = {"python.closure"}
model = FunctionAttributeOk()
