import torch


class ShiftByTensor(torch.nn.Module):
    """A tensor as the shift of a roll: strict export loses the symbol that it makes of it."""

    def forward(self, x, n):
        return x.roll(n, 0)


example_args = (
    torch.randn(4, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value"}
model = ShiftByTensor()
twin = "shift_by_item_ok"
