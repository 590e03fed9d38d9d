import torch


class ShapeBranchAuto(torch.nn.Module):
    """A branch on a size under Dim.AUTO: the program is good for the side that was traced."""

    def forward(self, x):
        if x.shape[0] > 5:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeBranchAuto()
twin = "shape_branch_ok"
