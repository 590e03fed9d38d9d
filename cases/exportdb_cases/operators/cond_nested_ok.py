import torch


class CondNestedOk(torch.nn.Module):
    """A `torch.cond` in a branch of another: what `elif` becomes."""

    def forward(self, x):
        def small(x):
            return torch.cond(x.sum() > -1, lambda x: x.cos(), lambda x: x.tan(), (x,))

        return torch.cond(x.sum() > 1, lambda x: x.sin(), small, (x,))


example_args = (torch.randn(3, 2),)
tags = {"torch.cond"}
model = CondNestedOk()
