import torch


class ByteMaskIndex(torch.nn.Module):
    """A tensor of uint8 is a mask as an index in eager, and no index while tracing."""

    def forward(self, x):
        mask = (x > 0).byte()
        return x[mask] * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = ByteMaskIndex()
