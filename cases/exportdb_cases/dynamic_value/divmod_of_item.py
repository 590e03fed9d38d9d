import torch


class DivmodOfItem(torch.nn.Module):
    """`divmod` of a number from a tensor."""

    def forward(self, x, n):
        whole, rest = divmod(n.item(), 3)
        return x * whole + rest


example_args = (
    torch.randn(3, 2),
    torch.tensor(7),
)
tags = {"python.builtin", "torch.dynamic-value"}
model = DivmodOfItem()
