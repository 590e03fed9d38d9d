import torch


class TolistOk(torch.nn.Module):
    """`.tolist()` of integers gives unbacked numbers."""

    def forward(self, x, n):
        first, second = n.tolist()
        return x * first + second


example_args = (torch.randn(3, 2), torch.tensor([4, 5]))
tags = {"torch.dynamic-value"}
model = TolistOk()
