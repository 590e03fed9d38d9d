import torch


class ItemRange(torch.nn.Module):
    """`range` needs a number; one that comes from a tensor is not known while tracing."""

    def forward(self, x, n):
        for _ in range(n.item()):
            x = x * 2
        return x


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.control-flow", "torch.dynamic-value"}
model = ItemRange()
