import torch


class ItemIfOk(torch.nn.Module):
    """`torch.cond` takes a comparison of a number from a tensor."""

    def forward(self, x, n):
        return torch.cond(n.item() > 2, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2), torch.tensor(3))
tags = {"python.control-flow", "torch.dynamic-value", "torch.cond"}
model = ItemIfOk()
