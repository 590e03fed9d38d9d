import torch


class ShapeEqualAuto(torch.nn.Module):
    """A comparison of a size with a number under Dim.AUTO freezes the size."""

    def forward(self, x):
        if x.shape[0] == 8:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeEqualAuto()
twin = "shape_branch_ok"
