import torch


class ShapeSortedAuto(torch.nn.Module):
    """Sizes that are put in order, under Dim.AUTO."""

    def forward(self, x):
        short, long = sorted(x.shape)
        return x.sum() * long - short


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = ShapeSortedAuto()
twin = "shape_min_ok"
