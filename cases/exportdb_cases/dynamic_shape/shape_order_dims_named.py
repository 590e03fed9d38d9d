import torch


class ShapeOrderDimsNamed(torch.nn.Module):
    """A branch on the order of two named Dims narrows neither of them, but leaves a guard on both."""

    def forward(self, x, y):
        if x.shape[0] >= y.shape[0]:
            return x.sin(), y.sin()
        return x.cos(), y.cos()


example_args = (torch.randn(5, 2), torch.randn(4, 2))
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}, "y": {0: torch.export.Dim("others")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeOrderDimsNamed()
twin = "shape_branch_ok"
