import torch


class EarlyReturn(torch.nn.Module):
    """An early return that a tensor decides, with the work behind it."""

    def forward(self, x):
        if x.abs().sum() < 0.1:
            return x
        y = x.sin()
        return y * 2


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = EarlyReturn()
twin = "early_return_ok"
