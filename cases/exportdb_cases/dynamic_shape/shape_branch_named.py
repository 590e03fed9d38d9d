import torch


class ShapeBranchNamed(torch.nn.Module):
    """A branch on a size under a named Dim: the side that was traced is not right for all of its sizes."""

    def forward(self, x):
        if x.shape[0] > 5:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeBranchNamed()
twin = "shape_branch_ok"
