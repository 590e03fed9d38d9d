import torch


class CondTupleOutputOk(torch.nn.Module):
    """Branches that return the same tuple of tensors."""

    def forward(self, x):
        first, second = torch.cond(x.sum() > 0, lambda x: (x.sin(), x.sum(0)), lambda x: (x.cos(), x.mean(0)), (x,))
        return first + second


example_args = (torch.randn(3, 2),)
tags = {"torch.cond", "python.data-structure"}
model = CondTupleOutputOk()
