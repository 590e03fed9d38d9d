import torch


class IntOfBool(torch.nn.Module):
    """`int` of a bool tensor: no mode keeps it as a symbol."""

    def forward(self, x):
        return x * int(x.sum() > 0)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = IntOfBool()
