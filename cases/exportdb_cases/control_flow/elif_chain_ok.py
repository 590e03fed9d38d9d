import torch


class ElifChainOk(torch.nn.Module):
    """Nested `torch.where` for an `elif` chain."""

    def forward(self, x):
        level = x.mean()
        y = torch.where(level > 1, x.sin(), torch.where(level > 0, x.cos(), x.tan()))
        return y + 1


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = ElifChainOk()
