import torch


class ShiftByItemOk(torch.nn.Module):
    """The shift of a roll from `.item()`."""

    def forward(self, x, n):
        return x.roll(n.item(), 0)


example_args = (
    torch.randn(4, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value"}
model = ShiftByItemOk()
