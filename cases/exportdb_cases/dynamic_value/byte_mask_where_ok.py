import torch


class ByteMaskWhereOk(torch.nn.Module):
    """A mask of uint8 becomes one of bool."""

    def forward(self, x):
        mask = (x > 0).byte()
        return torch.where(mask.bool(), x, x * 0.1)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = ByteMaskWhereOk()
