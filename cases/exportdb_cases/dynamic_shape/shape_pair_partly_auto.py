import torch


class ShapePairPartlyAuto(torch.nn.Module):
    """A tuple of sizes of which the first one is equal to the number it is compared with, and the second is not, under Dim.AUTO."""

    def forward(self, x):
        if tuple(x.shape) == (5, 8):
            return x.sin()
        return x.cos()


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapePairPartlyAuto()
twin = "shape_branch_ok"
