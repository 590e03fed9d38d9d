import torch


def scaled(x):
    scaled.used = True
    return x * 2


class FunctionAttribute(torch.nn.Module):
    """A function writes an attribute of itself."""

    def forward(self, x):
        return scaled(x)


example_args = (torch.randn(3, 2),)
tags = {"python.closure"}
model = FunctionAttribute()
