import torch


class ItemRaiseOk(torch.nn.Module):
    """`torch._check` on a number from a tensor becomes a runtime assert, and what follows may rely on it."""

    def forward(self, x, n):
        count = n.item()
        torch._check(count >= 1)
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.control-flow", "torch.dynamic-value"}
model = ItemRaiseOk()
