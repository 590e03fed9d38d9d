import torch


class CondView(torch.nn.Module):
    """A branch of `torch.cond` that returns a view of its operand."""

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.view(6), lambda x: x.cos().view(6), (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondView()
twin = "cond_alias_ok"
