import torch


class ShapeUnequalAuto(torch.nn.Module):
    """A comparison with a size that the example does not have, under Dim.AUTO: the others are all allowed."""

    def forward(self, x):
        if x.shape[0] * x.shape[1] != 64:
            return x.sin()
        return x.cos()


example_args = (torch.randn(6, 7),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeUnequalAuto()
twin = "shape_branch_ok"
