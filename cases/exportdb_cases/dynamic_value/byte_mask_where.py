import torch


class ByteMaskWhere(torch.nn.Module):
    """`torch.where` takes a condition of uint8 in eager, and of bool alone while tracing."""

    def forward(self, x):
        mask = (x > 0).byte()
        return torch.where(mask, x, x * 0.1)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = ByteMaskWhere()
