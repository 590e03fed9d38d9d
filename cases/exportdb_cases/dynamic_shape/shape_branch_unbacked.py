import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeBranchUnbacked(torch.nn.Module):
    """A branch on an unbacked input size: export has no example to decide it by."""

    def forward(self, x):
        if x.shape[0] > 5:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeBranchUnbacked()
twin = "shape_branch_ok"
