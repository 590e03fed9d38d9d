import torch


class CondOperandCount(torch.nn.Module):
    """Two operands for branches that take one argument."""

    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x, y))


example_args = (torch.randn(3, 2), torch.randn(3, 2))
tags = {"torch.cond"}
model = CondOperandCount()
twin = "cond_operands"
