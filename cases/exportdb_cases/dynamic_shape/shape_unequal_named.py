import torch


class ShapeUnequalNamed(torch.nn.Module):
    """A comparison with a size that the example does not have, under a named Dim."""

    def forward(self, x):
        if x.shape[0] != 8:
            return x.sin()
        return x.cos()


example_args = (torch.randn(5, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeUnequalNamed()
twin = "shape_branch_ok"
