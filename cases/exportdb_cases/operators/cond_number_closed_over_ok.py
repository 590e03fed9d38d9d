import torch


class CondNumberClosedOverOk(torch.nn.Module):
    """The tensor itself is an operand."""

    def forward(self, x, n):
        return torch.cond(x.sum() > 0, lambda x, n: x * n, lambda x, n: x.sin(), (x, n))


example_args = (torch.randn(3, 2), torch.tensor(2))
tags = {"torch.cond", "torch.dynamic-value"}
model = CondNumberClosedOverOk()
