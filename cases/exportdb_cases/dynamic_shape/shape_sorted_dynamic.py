import torch


class ShapeSortedDynamic(torch.nn.Module):
    """Sizes that are put in order, under Dim.DYNAMIC."""

    def forward(self, x):
        short, long = sorted(x.shape)
        return x.sum() * long - short


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = ShapeSortedDynamic()
twin = "shape_min_ok"
