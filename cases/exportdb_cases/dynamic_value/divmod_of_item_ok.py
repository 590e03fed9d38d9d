import torch


class DivmodOfItemOk(torch.nn.Module):
    """`//` and `%` of a number from a tensor."""

    def forward(self, x, n):
        number = n.item()
        return x * (number // 3) + number % 3


example_args = (
    torch.randn(3, 2),
    torch.tensor(7),
)
tags = {"torch.dynamic-value"}
model = DivmodOfItemOk()
