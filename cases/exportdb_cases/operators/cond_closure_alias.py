import torch


class CondClosureAlias(torch.nn.Module):
    """A branch of `torch.cond` that returns a tensor of the closure."""

    def forward(self, x):
        y = x.sin()
        return torch.cond(x.sum() > 0, lambda: y, lambda: y.cos())


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.closure"}
model = CondClosureAlias()
twin = "cond_alias_ok"
