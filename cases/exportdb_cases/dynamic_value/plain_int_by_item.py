import torch


class PlainIntByItem(torch.nn.Module):
    """The number of steps must be a plain int: no symbol will do, not even one from `.item()`."""

    def forward(self, x, n):
        return x * torch.linspace(0, 1, n.item()).sum()


example_args = (
    torch.randn(3),
    torch.tensor(4),
)
tags = {"torch.dynamic-value"}
model = PlainIntByItem()
