import torch


class MissingElse(torch.nn.Module):
    """An `if` without `else` that changes a value."""

    def forward(self, x):
        y = x.sin()
        if y.sum() < 0:
            y = -y
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = MissingElse()
twin = "missing_else_ok"
