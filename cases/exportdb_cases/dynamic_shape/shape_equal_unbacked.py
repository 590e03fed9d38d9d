import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeEqualUnbacked(torch.nn.Module):
    """An unbacked input size that is compared with a number by a branch."""

    def forward(self, x):
        if x.shape[0] == 8:
            return x.sin()
        return x.cos()


example_args = (torch.randn(8, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeEqualUnbacked()
twin = "shape_branch_ok"
