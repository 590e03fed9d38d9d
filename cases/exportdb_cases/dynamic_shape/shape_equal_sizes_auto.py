import torch


class ShapeEqualSizesAuto(torch.nn.Module):
    """A branch on whether two sizes are equal, under Dim.AUTO."""

    def forward(self, x, y):
        if x.shape[0] == y.shape[0]:
            return x.sum(0) + y.sum(0)
        return x.sum(0) - y.sum(0)


example_args = (torch.randn(6, 2), torch.randn(6, 2))
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "y": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeEqualSizesAuto()
twin = "shape_branch_ok"
