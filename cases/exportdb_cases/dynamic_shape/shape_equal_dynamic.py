import torch


class ShapeEqualDynamic(torch.nn.Module):
    """A comparison of a size with a number under Dim.DYNAMIC freezes the size."""

    def forward(self, x):
        if x.shape[0] == 8:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeEqualDynamic()
twin = "shape_branch_ok"
