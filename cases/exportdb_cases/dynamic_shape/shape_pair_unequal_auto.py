import torch


class ShapePairUnequalAuto(torch.nn.Module):
    """A tuple of sizes that differs from the numbers it is compared with in its first one, under Dim.AUTO."""

    def forward(self, x):
        if tuple(x.shape) == (8, 4):
            return x.sin()
        return x.cos()


example_args = (torch.randn(5, 4),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapePairUnequalAuto()
twin = "shape_branch_ok"
