import torch


class CondIntOperand(torch.nn.Module):
    """A number among the operands of `torch.cond`."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x, n: x * n, lambda x, n: x + n, (x, 2))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondIntOperand()
