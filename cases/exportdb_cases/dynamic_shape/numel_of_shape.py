import torch


class NumelOfShape(torch.nn.Module):
    """`torch.Size.numel`, which multiplies plain numbers: non-strict needs them."""

    def forward(self, x):
        return x.sum() / x.shape[1:].numel()


example_args = (torch.randn(4, 3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = NumelOfShape()
twin = "prod_of_shape_ok"
