import torch


class IntOfBoolOk(torch.nn.Module):
    """A bool tensor becomes one of integers before its value is read."""

    def forward(self, x):
        return x * (x.sum() > 0).to(torch.int64).item()


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = IntOfBoolOk()
