import torch


class ShapeSortedNamed(torch.nn.Module):
    """Sizes that are put in order, under named Dims."""

    def forward(self, x):
        short, long = sorted(x.shape)
        return x.sum() * long - short


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows"), 1: torch.export.Dim("columns")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = ShapeSortedNamed()
twin = "shape_min_ok"
