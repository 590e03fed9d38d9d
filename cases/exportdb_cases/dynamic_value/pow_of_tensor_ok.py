import torch


class PowOfTensorOk(torch.nn.Module):
    """The operator does the same, and is traced."""

    def forward(self, x):
        return x**2


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = PowOfTensorOk()
