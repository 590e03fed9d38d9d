import torch


class ChunkDynamic(torch.nn.Module):
    """`chunk` of a dynamic dimension: how many chunks there are depends on the size."""

    def forward(self, x):
        first, second = x.chunk(2)
        return first.sum() - second.sum()


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ChunkDynamic()
