import torch


class CondFloatOutput(torch.nn.Module):
    """Branches of `torch.cond` that return Python floats."""

    def forward(self, x):
        scale = torch.cond(x.sum() > 0, lambda x: 2.0, lambda x: 0.5, (x,))
        return x * scale


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondFloatOutput()
