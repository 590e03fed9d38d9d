import torch


class SplitCount(torch.nn.Module):
    """`split` into parts of a fixed size: a graph has as many of them as the example."""

    def forward(self, x):
        return sum(part.sum(0) for part in x.split(2))


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SplitCount()
