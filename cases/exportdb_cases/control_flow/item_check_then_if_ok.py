import torch


class ItemCheckThenIfOk(torch.nn.Module):
    """After `torch._check(n > 3)` a branch on `n > 3` is decided: one side is in the graph, the other is an error."""

    def forward(self, x, n):
        count = n.item()
        torch._check(count > 3)
        if count > 3:
            return x.sin()
        return x.cos()


example_args = (torch.randn(3, 2), torch.tensor(5))
tags = {"python.control-flow", "torch.dynamic-value"}
model = ItemCheckThenIfOk()
