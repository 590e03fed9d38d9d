import torch


class SlicedToBoundOk(torch.nn.Module):
    """A slice up to no more than the smallest dynamic size: nothing is narrowed."""

    def forward(self, x):
        return x[:, :2].sum(1) + x[:, -1]


example_args = (torch.randn(3, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SlicedToBoundOk()
