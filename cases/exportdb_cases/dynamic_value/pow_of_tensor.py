import torch


class PowOfTensor(torch.nn.Module):
    """The builtin `pow` of a tensor: strict export cannot trace it."""

    def forward(self, x):
        return pow(x, 2)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = PowOfTensor()
