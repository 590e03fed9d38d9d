import torch


class MaxDefaultOk(torch.nn.Module):
    """The builtin `max` of a list of tensors."""

    def forward(self, x):
        return x * max([x.sum(), x.mean()])


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = MaxDefaultOk()
