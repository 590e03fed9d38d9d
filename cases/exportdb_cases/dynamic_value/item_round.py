import torch


class ItemRound(torch.nn.Module):
    """`round` of a number from a tensor."""

    def forward(self, x):
        return x * round(x.abs().sum().item())


example_args = (torch.rand(3, 2) + 1,)
tags = {"torch.dynamic-value", "python.builtin"}
model = ItemRound()
twin = "item_math_ok"
