import torch


class AsSubclassTensor(torch.nn.Module):
    """`as_subclass` makes another Python object of a tensor, which tracing does not follow."""

    def forward(self, x):
        return x.as_subclass(torch.Tensor) * 2


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = AsSubclassTensor()
