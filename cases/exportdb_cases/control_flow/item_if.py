import torch


class ItemIf(torch.nn.Module):
    """A branch on `.item()` is a branch on data: the number is not known while tracing."""

    def forward(self, x, n):
        if n.item() > 2:
            return x.sin()
        return x.cos()


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.control-flow", "torch.dynamic-value"}
model = ItemIf()
