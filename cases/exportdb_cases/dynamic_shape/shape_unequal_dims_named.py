import torch


class ShapeUnequalDimsNamed(torch.nn.Module):
    """A comparison of two named Dims that differ in the example: the guard that they differ is not one on either of them."""

    def forward(self, x, y):
        if x.shape[0] == y.shape[0]:
            return x.sin(), y.sin()
        return x.cos(), y.cos()


example_args = (torch.randn(5, 2), torch.randn(4, 2))
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}, "y": {0: torch.export.Dim("others")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeUnequalDimsNamed()
twin = "shape_branch_ok"
