import torch


class ShapePairUnequalDynamic(torch.nn.Module):
    """A tuple of sizes that differs from the numbers it is compared with in its first one, under Dim.DYNAMIC."""

    def forward(self, x):
        if tuple(x.shape) == (8, 4):
            return x.sin()
        return x.cos()


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapePairUnequalDynamic()
twin = "shape_branch_ok"
