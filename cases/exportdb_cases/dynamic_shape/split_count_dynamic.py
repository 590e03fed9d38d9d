import torch


class SplitCountDynamic(torch.nn.Module):
    """`split` of a dynamic dimension into parts of a fixed size: a graph has as many of them as the example."""

    def forward(self, x):
        return sum(part.sum(0) for part in x.split(2))


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = SplitCountDynamic()
twin = "split_count_ok"
