import torch


class IntItem(torch.nn.Module):
    """`int(t.item())` turns the unbacked number into a Python one."""

    def forward(self, x, n):
        return x * int(n.item())


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.builtin", "torch.dynamic-value"}
model = IntItem()
twin = "item_ok"
