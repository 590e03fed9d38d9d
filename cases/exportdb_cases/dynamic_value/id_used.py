import torch


class IdUsed(torch.nn.Module):
    """`id(x)` is an address of this process: as a number in the computation it is baked in."""

    def forward(self, x):
        return x + id(x) % 1000


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = IdUsed()
