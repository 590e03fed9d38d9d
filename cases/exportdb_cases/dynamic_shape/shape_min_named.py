import torch


class ShapeMinNamed(torch.nn.Module):
    """The builtin `min` of a size and a number, under a named Dim."""

    def forward(self, x):
        return x.sum() * min(x.shape[0], 4)


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = ShapeMinNamed()
twin = "shape_min_ok"
