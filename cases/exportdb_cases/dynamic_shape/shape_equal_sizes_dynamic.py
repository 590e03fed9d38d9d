import torch


class ShapeEqualSizesDynamic(torch.nn.Module):
    """A branch on whether two sizes are equal, under Dim.DYNAMIC: one takes the place of the other."""

    def forward(self, x, y):
        if x.shape[0] == y.shape[0]:
            return x.sum(0) + y.sum(0)
        return x.sum(0) - y.sum(0)


example_args = (torch.randn(6, 2), torch.randn(6, 2))
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}, "y": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeEqualSizesDynamic()
twin = "shape_branch_ok"
