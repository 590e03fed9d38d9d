import torch


class MaxDefault(torch.nn.Module):
    """The builtin `max` of a list of tensors, with a default."""

    def forward(self, x):
        return x * max([x.sum(), x.mean()], default=1.0)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxDefault()
