import torch


class ByteMaskIndexOk(torch.nn.Module):
    """A mask of uint8 becomes one of bool."""

    def forward(self, x):
        mask = (x > 0).byte()
        return x[mask.bool()] * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = ByteMaskIndexOk()
