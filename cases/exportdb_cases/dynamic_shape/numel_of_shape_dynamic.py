import torch


class NumelOfShapeDynamic(torch.nn.Module):
    """`torch.Size.numel`, which multiplies plain numbers: non-strict needs them, under DYNAMIC."""

    def forward(self, x):
        return x.sum() / x.shape[1:].numel()


example_args = (torch.randn(4, 3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.builtin"}
model = NumelOfShapeDynamic()
twin = "prod_of_shape_ok"
