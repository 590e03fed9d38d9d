import torch


class NumelOfShapeNamed(torch.nn.Module):
    """`torch.Size.numel`, which multiplies plain numbers: non-strict needs them, under a named Dim."""

    def forward(self, x):
        return x.sum() / x.shape[1:].numel()


example_args = (torch.randn(4, 3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows"), 1: torch.export.Dim("columns")}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = NumelOfShapeNamed()
twin = "prod_of_shape_ok"
