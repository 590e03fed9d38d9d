import torch


class BoolOfItem(torch.nn.Module):
    """`bool` of a number from a tensor: strict export keeps it as a symbol."""

    def forward(self, x):
        positive = bool(x.sum().item())
        return x * positive


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = BoolOfItem()
twin = "tensor_where_ok"
