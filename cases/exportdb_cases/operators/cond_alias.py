import torch


class CondAlias(torch.nn.Module):
    """A branch of `torch.cond` that returns its operand."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x, lambda x: x.cos(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondAlias()
issues = (
    "https://github.com/pytorch/pytorch/issues/153832",
    "https://github.com/pytorch/pytorch/issues/193810",
)
