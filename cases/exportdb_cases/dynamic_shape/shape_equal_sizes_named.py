import torch


class ShapeEqualSizesNamed(torch.nn.Module):
    """A branch on whether the sizes of two named Dims are equal."""

    def forward(self, x, y):
        if x.shape[0] == y.shape[0]:
            return x.sum(0) + y.sum(0)
        return x.sum(0) - y.sum(0)


example_args = (torch.randn(6, 2), torch.randn(6, 2))
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}, "y": {0: torch.export.Dim("others")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeEqualSizesNamed()
twin = "shape_branch_ok"
