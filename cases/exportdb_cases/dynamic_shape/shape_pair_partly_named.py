import torch


class ShapePairPartlyNamed(torch.nn.Module):
    """A tuple of sizes of which the first one is equal to the number it is compared with, and the second is not, under a named Dim."""

    def forward(self, x):
        if tuple(x.shape) == (5, 8):
            return x.sin()
        return x.cos()


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows"), 1: torch.export.Dim("columns")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapePairPartlyNamed()
twin = "shape_branch_ok"
