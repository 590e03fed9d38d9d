import torch


class PlainIntByItemOk(torch.nn.Module):
    """Steps counted by `torch.arange`, which takes a symbol."""

    def forward(self, x, n):
        steps = n.item()
        torch._check(steps > 1)
        return x * (torch.arange(steps) / (steps - 1)).sum()


example_args = (
    torch.randn(3),
    torch.tensor(4),
)
tags = {"torch.dynamic-value"}
model = PlainIntByItemOk()
