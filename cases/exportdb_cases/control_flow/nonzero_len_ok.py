import torch


class NonzeroLenOk(torch.nn.Module):
    """`torch.count_nonzero` counts in the graph, and `torch.where` chooses by it."""

    def forward(self, x):
        return torch.where(torch.count_nonzero(x) > 2, x.sin(), x.cos())


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-value"}
model = NonzeroLenOk()
