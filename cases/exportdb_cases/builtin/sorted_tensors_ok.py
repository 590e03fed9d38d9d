import torch


class SortedTensorsOk(torch.nn.Module):
    """`argsort` orders in the graph."""

    def forward(self, x):
        return x[x.sum(1).argsort()]


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = SortedTensorsOk()
