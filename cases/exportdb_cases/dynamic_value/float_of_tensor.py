import torch


class FloatOfTensor(torch.nn.Module):
    """`float(t)` reads the value; strict keeps it as an unbacked number."""

    def forward(self, x):
        return x / float(x.abs().max())


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = FloatOfTensor()
