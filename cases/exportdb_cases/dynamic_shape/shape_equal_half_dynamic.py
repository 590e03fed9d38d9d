import torch


class ShapeEqualHalfDynamic(torch.nn.Module):
    """A comparison of half of a size with a number under Dim.DYNAMIC leaves the sizes that have this half."""

    def forward(self, x):
        if x.shape[0] // 2 == 4:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeEqualHalfDynamic()
twin = "shape_branch_ok"
